"""The program that runs inside a tau2 installation; started as a process, never imported by ours."""
