"""The line that a player types: its text, the place in it, and the lines that were given before."""

from __future__ import annotations


class Line:
    """A line that is being edited."""

    def __init__(self) -> None:
        self.text = ""
        self.at = 0
        self._given: list[str] = []
        self._back = 0
        """How many lines the player has gone back in what they gave before."""

    def put(self, text: str, at: int | None = None) -> None:
        """Replaces the whole line."""
        self.text = text
        self.at = len(text) if at is None else max(0, min(at, len(text)))

    def type(self, letters: str) -> None:
        """Inserts what was typed or pasted; the ends of pasted lines separate commands."""
        parts = letters.splitlines()
        joined = letters if len(parts) < 2 else "; ".join(part for part in parts if part.strip())
        shown = "".join(each for each in joined if each.isprintable())
        self.put(self.text[: self.at] + shown + self.text[self.at :], self.at + len(shown))

    def given(self) -> str:
        """The line as it is given to the table; the next one begins empty."""
        text = self.text.strip()
        if text and self._given[-1:] != [text]:
            self._given.append(text)
        self._back = 0
        self.put("")
        return text

    def edit(self, key: str) -> bool:
        """Does what an editing key does to a line; False if it is none."""
        before, after = self.text[: self.at], self.text[self.at :]
        match key:
            case "backspace":
                self.put(before[:-1] + after, self.at - 1)
            case "delete":
                self.put(before + after[1:], self.at)
            case "left":
                self.put(self.text, self.at - 1)
            case "right":
                self.put(self.text, self.at + 1)
            case "home" | "ctrl+a":
                self.put(self.text, 0)
            case "end" | "ctrl+e":
                self.put(self.text)
            case "escape" | "ctrl+u":
                self._back = 0
                self.put("")
            case "up":
                self._recall(1)
            case "down":
                self._recall(-1)
            case _:
                return False
        return True

    def _recall(self, step: int) -> None:
        self._back = max(0, min(self._back + step, len(self._given)))
        self.put(self._given[-self._back] if self._back else "")
