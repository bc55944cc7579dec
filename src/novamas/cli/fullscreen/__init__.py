"""The table of `novamas play` as a full screen.

`table_view` says what each key does, and `panels` what the rows of the screen say; `places` knows
where the spots lie, and `arrangement` what fits. `app` alone imports Textual, and is imported when
the screen is drawn.
"""
