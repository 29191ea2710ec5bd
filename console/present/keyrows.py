"""The table of verbs as text: id, keys, action, where, title; the sentence below. `present.keytable` reads it and says
what each column is. A verb of several screens with other keys or words has a row for each."""

TABLE = """\
# Decide
approve          a                      approve                  desk review        Approve
    land exactly the plan that is drawn; at risk level 2 twice, at level 3 with its policy's id typed
reject           r                      reject                   desk review        Reject, dismiss, requeue
    reject the plan that is drawn, its work stays; dismiss a blocked policy; queue a ticket that ended again
undo             u                      undo                     desk               Undo
    take back what is shown, else what was decided last on this screen, else the last landing or rejection, whoever's
undo             u                      undo                     review             Undo
    take back the last thing done here; it is shown again
type             t                      type                     desk review        Type an answer
    answer the decision that is shown in words; on a ticket that ended: queue it again with a word to its agent
readings         1,2,3,4,5,6,7,8,9      -                        review             Readings  [fixed shown=1..9]
    choose a reading of the decision that is open
next-finding     f                      next_finding             desk review        Next finding
    the diff at the next finding's file and line
unlock           U                      unlock                   desk review        Unlock the signing key
    the terminal goes to the program that asks for it, and comes back
alert            exclamation_mark       go_to_alert              desk               Go to the alert
    the alert that is open
adopt            A                      answer_alert('adopt')    desk review        Adopt alert
    take as right what changed in the git dir (press twice)
restore          Z                      answer_alert('restore')  desk review        Restore alert
    put back what changed in the git dir (press twice)
retry            R                      retry                    desk review        Judge again
    judge a blocked policy again, on the work as it is now
# Sessions
answer           y                      answer                   desk review board  Answer a question
    answer what a session or a routine asks: what it is about in full, a digit answers
prompt           n                      prompt                   desk               Prompt session
    send a prompt to the session that is shown; while a turn runs Tab chooses: behind it, or interrupt first
interrupt        i                      interrupt                desk               Interrupt turn
    cancel the turn that runs
stop             x                      stop                     desk review        Stop, drop, cancel
    stop the session that is shown or dismiss one that broke off; drop a ticket; cancel a routine (all twice)
stop             x                      stop                     board              Cancel the routine
    cancel the routine that is shown (press twice)
open-own         o                      open_own                 desk               Open in its own program
    the conversation in its agent's own program (asks); the desk comes back when you leave that
go-back          B                      roll_back                desk               Go back
    put the session's files back as they were before a turn (shows what would change, asks)
whole            v                      whole                    desk review board  Outputs in full
    in the Session tab: outputs and prompts in full, or brief again
# Tickets and runs
start-run        s                      start_run                desk               Start a run
    every check, then GO or NO-GO
pause            p                      pause                    desk               Pause or resume the run
    claim nothing new, or go on
release          L                      release                  desk review        Release a held ticket
    let it run; the first press shows its text
write-ticket     N                      write_ticket             desk welcome       Write a ticket
    a title and a text, here or in your editor; says at once what a run would decide about it
try-gate         t                      try_gate                 welcome            Try the gate
    run it once, in a clean checkout of what is committed
edit-settings    e                      edit_settings            welcome            Edit the settings
    the file in your editor; what is wrong with it is told afterwards
first-steps      -                      first_steps              desk               First steps
    from an empty folder to the first commit of a ticket of your own: what is done, what comes next
chains           -                      switch_chains            desk               Chains on or off
    whether finished work is reviewed by itself (asks)
chains           c                      switch_chains            board              Chains on or off
    says what that does, and asks
stop-all         Q                      stop_all                 desk               Stop everything
    stop the run, or every session and the supervisor (asks which)
# Look
next-waiting     w                      next_waiting             desk               Next waiting
    the next thing that waits for you
review           m                      review                   desk               Morning review
    everything that waits, one thing at a time
timeline         T                      timeline                 desk               The night as a timeline
    who ran when, waits, gates and restarts as a chart, and what it cost
board            b                      board                    desk               Board
    reviews and repairs as trees, routines
filter           slash                  filter                   desk board night   Filter list
    show only matching rows: Enter keeps it, Esc clears it
only-waiting     W                      only_waiting             desk board night   Only what waits
    sessions, policies and tickets: only what needs a person, again: all of it
order            S                      order                    desk board night   Order of the list
    by attention, what changed last first, by name; what is selected stays selected
archive          H                      archive                  desk board night   Archive, bring back
    the selected row out of sight, when it is over; in the archive: back into the list
show-archived    full_stop              show_archived            desk               Show the archive
    archived rows, too, marked; again: without them
zoom             z                      zoom                     desk board         Zoom
    the pane with the focus takes the whole screen; again: all panes
bigger           plus                   split(1)                 desk board         Detail bigger
    move the line between the panes: what is shown gets bigger
smaller          minus                  split(-1)                desk board         Detail smaller
    the lists get bigger
usual-split      equals_sign            split(0)                 desk board         Usual split
    the line between the panes where it usually is
findings         f                      findings                 board              Findings
    what the review that is selected found (Why)
its-plan         p                      plan                     board              Its plan
    the plan of what is selected, on the desk; no key here approves anything
its-session      s                      session                  board              Its session
    the session of what is selected, on the desk
previous-tab     left_square_bracket    tab(-1)                  desk review board  Previous tab
    the tab before
next-tab         right_square_bracket   tab(1)                   desk review board  Next tab
    diff, gate, ticket, session, why of what is shown
diff-files       F                      diff_files               desk review        Files of the diff
    the files of the diff in a list: Enter goes to one
diff-layout      d                      diff_layout              desk review        Side by side or unified
    old and new side by side where the pane has room for it, or one below the other; remembered
comment          c                      comment                  desk review        Comment the line
    say something to the agent about the line of the diff under the cursor; it is kept until it is sent
comments         C                      comments                 desk review        Comments
    what you said about this plan: send all as one nudge (says what that does to the plan, asks), edit, drop
edit             e                      edit                     desk review        Open in your editor
    the file at the line under the cursor, in its worktree or as a read-only copy ($VISUAL, $EDITOR)
next-hunk        right_curly_bracket    jump('hunk',1)           desk review        Next hunk
    the next hunk of the diff
previous-hunk    left_curly_bracket     jump('hunk',-1)          desk review        Previous hunk
    the hunk before
next-file        greater_than_sign      jump('file',1)           desk review        Next file
    the next file of the diff
previous-file    less_than_sign         jump('file',-1)          desk review        Previous file
    the file before
next-hunk        right_curly_bracket    jump_hunk(1)             diff               Next hunk
    the next hunk of the diff
previous-hunk    left_curly_bracket     jump_hunk(-1)            diff               Previous hunk
    the hunk before
next-file        greater_than_sign      jump_file(1)             diff               Next file
    the next file of the diff
previous-file    less_than_sign         jump_file(-1)            diff               Previous file
    the file before
nearer           plus,equals_sign       zoom_time(1)             night              Nearer
    less time, seen nearer: whole run, 4 h, 1 h, 15 min
further          minus                  zoom_time(-1)            night              Further
    more time
earlier          less_than_sign         pan(-4)                  night              Earlier
    what was before what is seen
later            greater_than_sign      pan(4)                   night              Later
    what came after; at the right end it follows what happens
# Move
panes            1,2,3,4,5              -                        desk               Panes  [fixed shown=1..5]
    needs you, sessions, policies, tickets, log; on an open decision: its readings
chains-list      1                      list('chains')           board              Chains  [fixed]
    to the list of chains
routines-list    2                      list('routines')         board              Routines  [fixed]
    to the list of routines
next-pane        tab                    step_focus(1)            desk board         Next pane  [priority]
    to the pane after
previous-pane    shift+tab              step_focus(-1)           desk board         Previous pane  [priority]
    to the pane before
open             enter                  open                     list               Open  [kept]
    open what is selected
back             escape,backspace       back                     desk board night   Back  [kept]
    one step out; a filter goes first
down             j,down                 move(1)                  list               Down
    a row down
up               k,up                   move(-1)                 list               Up
    a row up
page-down        pagedown               page(1)                  list               Page down
    a page down
page-up          pageup                 page(-1)                 list               Page up
    a page up
top              g,home                 first                    list               Top
    the first row
bottom           G,end                  last                     list               Bottom
    the last row
right            l,right                sideways(1)              list               Right
    what is cut off on the right
left             h,left                 sideways(-1)             list               Left
    and back
down             j,down                 by(1)                    text               Down
    a line down
up               k,up                   by(-1)                   text               Up
    a line up
page-down        pagedown,space         page(1)                  text               Page down
    a page down
page-up          pageup                 page(-1)                 text               Page up
    a page up
top              g,home                 top                      text               Top
    the first line
bottom           G,end                  bottom                   text               Bottom
    the last line
right            l,right                sideways(1)              text               Right
    what is cut off on the right
left             h,left                 sideways(-1)             text               Left
    and back
first-column     0                      sideways(-1000)          text               First column
    back to the first column
skip             space,n                skip                     review             Skip, go on  [priority]
    skip: it comes again at the end
go-on            enter                  go_on                    review             Go on
    answer in words, go on, or leave at the end
# Console
palette          colon                  command_palette          app                Palette  [kept]
    every verb, by name
palette-always   ctrl+p                 command_palette          app                Palette  [fixed priority]
    every verb, by name, also from a field
help             question_mark,f1       help                     screens  Keys  [kept]
    this help
appearance       comma                  appearance               app                Appearance
    themes, glyphs, mouse: what you move over is shown, Enter keeps it
repaint          ctrl+l                 repaint                  app                Paint again
    paint the screen again
to-desk          escape,backspace       back                     welcome            To the desk  [kept]
    the first steps stay in the palette
leave            q                      leave                    desk welcome       Leave  [kept]
    the screen ends, what runs goes on; `nightdesk` opens it again
leave-at-once    ctrl+c,ctrl+z        leave                    app                Leave  [fixed]
    leave the screen from wherever you are; what runs goes on
leave-review     escape,q,m             leave_review             review             Leave the review  [kept]
    back to the desk, not out of the program
leave-night      q,T                    leave_night              night              Leave the timeline  [kept]
    back to the desk
leave-board      q,b                    leave_board              board              Leave the board  [kept]
    back to the desk
"""
