"""Plots for Dagster's page: an SVG in a Markdown picture, which the page draws and which needs no script."""

import base64
from collections.abc import Mapping
from html import escape

_WIDTH, _HEIGHT, _ROOM = 640, 160, 20


def bars(title: str, values: Mapping[str, float]) -> str:
    """Return Markdown with a bar for each value, in the order given; the title alone where there is none."""
    if not values:
        return f"{title}: none"
    top = max(values.values()) or 1
    step = _WIDTH / len(values)
    drawn = [
        f'<rect x="{n * step:.1f}" y="{_ROOM + _HEIGHT * (1 - value / top):.1f}" width="{max(1.0, step - 1):.1f}" '
        f'height="{_HEIGHT * value / top:.1f}" fill="#4f79a7"><title>{escape(name)}: {value:g}</title></rect>'
        for n, (name, value) in enumerate(values.items())
    ]
    names = list(values)
    below = _HEIGHT + 2 * _ROOM - 4
    labels = (
        f'<text x="0" y="14">{escape(title)}, up to {top:g}</text><text x="0" y="{below}">{escape(names[0])}</text>'
        f'<text x="{_WIDTH}" y="{below}" text-anchor="end">{escape(names[-1])}</text>'
    )
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{_HEIGHT + 2 * _ROOM}" '
        f'font-family="sans-serif" font-size="12" fill="#555">{"".join(drawn)}{labels}</svg>'
    )
    return f"![{title}](data:image/svg+xml;base64,{base64.b64encode(svg.encode()).decode()})"
