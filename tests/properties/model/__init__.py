"""A second model of the table: it plays table scripts and shares no code with the table.

It is written from the rules alone, house by house, and says nothing of articles, staff or views.
`play` takes a script and gives its outcome. Where the outcome differs from the table's, one of the
two has misread the rules.

Where the rules are silent the model follows the table:

- A ball that slips from the hand may be voided before the launch, and counts as a spin.
- Whoever notices a stake notices all that lies over the maximum where it lies.
- A piece of an announcement that stays after a win is not played again as an announcement, and an
  announcement may be played again until the next number is called.
- An id is free again when nothing lies under it.
- A stake that was moved or corrected is later than all that lie there.
- Who is away is settled when the number is called, for what is in prison too. Coming back ends it
  for all their stakes.
- A payment is one stake, or all the number bets of one player where the house pays them together
  (AR, IT; in IT colour and value chips apart).
- A late stake (IT) must reach its minimum by itself and with what lies there, as at a close.
- While play is suspended nothing is laid, moved, announced or launched; a running ball ends.
- When a table closes in Spain, what is in prison is divided as after a last spin (ES-G.3).
- When betting closes in France, what is short or levelled of a stake without an owner goes back to
  its player, and so does what lies when the table closes or opens again.
- A stake without an owner is halved apart from what its player has on the chance (FRAN).
- What rides in IT, where a zero divides it by chips, rides in whole chips.
- An owner who is away is none (FR, FRAM, FRAN): their stakes may be found abandoned.
- That chips wait for their change says nothing of colour chips, nor in houses without FRAN-55-10.u.
- Nobody leaves while something of theirs is on the cloth, in prison or set aside.
"""
