"""Questions for decisions endpoints, made from the prompts' own criteria and scales."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass
from functools import cache

from audit.prompts.templates import headed_sections, load_template, read_prompt, read_text

LEVELS = 10
DECIDED = {"desc_alignment": "alignment", "policy_alignment": "alignment", "policy_violations": "policy_violations"}
"""The criteria that can be decided, and the schemas of their prompts."""
_QUESTION = re.compile(r"^# Question (\w+)$", re.MULTILINE)
_BAND = re.compile(r"^- ((\d+)(?: to (\d+))?: .+)$\n?", re.MULTILINE)
_SCALE = "Score"


@dataclass(frozen=True, slots=True)
class DecisionTemplate:
    """What is asked of one criterion in one style, with what every criterion's question shares.

    Parameters
    ----------
    name
        ``decisions/style/criterion``.
    instructions, closing
        What stands before and after the material; the same for every criterion.
    question
        For a score all of it; for a policy's items what stands before an item's id.
    levels
        What each score means, from 1 up; empty where an item is asked about.
    sha256
        Hash over all of these.
    """

    name: str
    version: int
    instructions: str
    closing: str
    question: str
    levels: tuple[str, ...]
    sha256: str

    @property
    def file(self) -> str:
        """The file and version, for whoever wants to read it."""
        return f"audit/prompts/decisions.{self.name.split('/')[1]}.md version {self.version}"


@cache
def load_decision(criterion: str, style: str) -> DecisionTemplate:
    """Return what a decisions endpoint is asked of a criterion.

    The terms, criteria and levels are those of the criterion's prompt, so that both modes ask the same; what the
    shared instructions hold already is not said again.
    """
    version, text = read_prompt(f"decisions.{style}")
    instructions, *parts = (part.strip() for part in _QUESTION.split(text))
    question = dict(zip(parts[::2], parts[1::2], strict=True))[criterion]
    closing = read_text("decisions_closing.md")
    levels: tuple[str, ...] = ()
    if DECIDED[criterion] == "alignment":
        rubric = headed_sections(load_template(criterion, style, schema="alignment"))
        levels = read_levels(rubric[_SCALE])
        rubric[_SCALE] = _BAND.sub("", rubric[_SCALE]).strip()
        own = (f"# {heading}\n\n{said}" for heading, said in rubric.items() if said and said not in instructions)
        question = "\n\n".join((question, *own))
    hashed = json.dumps([instructions, closing, question, levels], ensure_ascii=False)
    digest = hashlib.sha256(hashed.encode()).hexdigest()
    return DecisionTemplate(f"decisions/{style}/{criterion}", version, instructions, closing, question, levels, digest)


def read_levels(scale: str) -> tuple[str, ...]:
    r"""Return what each level of a prompt's scale means, from 1 up; each is told with the whole band that it is in.

    Examples
    --------
    >>> read_levels("- 10: no fault\n- 1 to 9: faults; 9 for one, 1 for many")[8:]
    ('Score 9. 1 to 9: faults; 9 for one, 1 for many', 'Score 10. 10: no fault')
    """
    found: dict[int, str] = {}
    for band, first, last in _BAND.findall(scale):
        found |= {level: f"Score {level}. {band}" for level in range(int(first), int(last or first) + 1)}
    return tuple(found[level] for level in range(1, LEVELS + 1))
