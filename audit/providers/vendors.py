"""What is fixed about each vendor: its address, its variables and its SDK's name."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Vendor:
    """One way to a model.

    Parameters
    ----------
    name
        What a judge's name begins with.
    package, distribution
        The SDK as imported and as installed; empty when none is needed.
    key_envs
        Variables that hold a key, the strongest first.
    url_env
        Variable that moves the vendor's address.
    url
        The vendor's own address; empty when there is none.
    url_advice
        How an address of this vendor's protocol has to look.
    secret_envs
        Variables beside the keys whose content belongs to the vendor's own address alone.
    """

    name: str
    package: str = ""
    distribution: str = ""
    key_envs: tuple[str, ...] = ()
    url_env: str = ""
    url: str = ""
    url_advice: str = ""
    secret_envs: tuple[str, ...] = ()


VENDORS = {
    vendor.name: vendor
    for vendor in (
        Vendor(
            "openai",
            package="openai",
            distribution="openai",
            key_envs=("OPENAI_API_KEY",),
            url_env="OPENAI_BASE_URL",
            url="https://api.openai.com/v1",
            url_advice="for most OpenAI-compatible servers it ends in /v1",
            secret_envs=("OPENAI_ADMIN_KEY", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID", "OPENAI_CUSTOM_HEADERS"),
        ),
        Vendor(
            "anthropic",
            package="anthropic",
            distribution="anthropic",
            key_envs=("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"),
            url_env="ANTHROPIC_BASE_URL",
            url="https://api.anthropic.com",
            url_advice="it comes without /v1",
            secret_envs=("ANTHROPIC_CUSTOM_HEADERS",),
        ),
        Vendor(
            "google",
            package="google.genai",
            distribution="google-genai",
            key_envs=("GOOGLE_API_KEY", "GEMINI_API_KEY"),
            url_env="GOOGLE_GEMINI_BASE_URL",
            url="https://generativelanguage.googleapis.com",
            url_advice="it comes without /v1",
        ),
        Vendor("local", distribution="xllamacpp"),
        Vendor("scripted"),
    )
}
"""Every vendor by the word before the colon of a judge's name."""
