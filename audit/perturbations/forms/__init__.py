"""What the entries of each format look like to a perturbation, and how a task is made anew from a changed entry."""
