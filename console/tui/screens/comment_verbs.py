"""Comments on lines of a diff: written, listed, edited, dropped, and sent to the agent as one nudge. What is not in the
log is not sent, and what is not sent is kept."""

from __future__ import annotations

from collections.abc import Callable

from console.core import commands as cmd
from console.core.commits import Plan
from console.core.records import Refused
from console.core.state import State
from console.engine.journal import Result
from console.present import comments, commentways
from console.present.comments import Comment
from console.present.commentways import Way
from console.present.text import clean, cut
from console.tui import keys
from console.tui.screens import bars, kept_comments
from console.tui.screens.comment_sheets import AskComment, Comments, SendComments
from console.tui.screens.diff_verbs import NO_DIFF, DiffVerbs
from console.tui.screens.kept_comments import Said

QUOTE_CELLS = 200
CHANGED = "what is true of it has changed meanwhile; nothing was sent, look at it again"


class CommentVerbs(DiffVerbs):
    """Mixed into every screen that shows one thing."""

    def _commented(self) -> Plan | None:
        """The plan whose diff is drawn."""
        desk = self.desk
        plan = desk.subject.plan(desk.state)
        return plan if plan and not desk.detail_hidden and self.diff_view.count else None

    def _unsent(self, plan: Plan) -> list[Said]:
        return kept_comments.of_policy(self.desk.app.desk.memory_here, self.desk.state, plan.plan)

    def comment_keys(self) -> list[bars.Key]:
        """For the footer, while there is something to send."""
        plan = self._commented()
        return self.can("comments", "send comments", "comments") if plan and self._unsent(plan) else []

    def _reread(self, then: Callable[[object], None]) -> None:
        """Look at what other consoles kept or sent, off the loop; then go on if nothing was opened meanwhile."""
        app, memory = self.desk.app, self.desk.app.desk.memory_here
        before = app.screen
        app.hands.aside(
            lambda: kept_comments.reread(memory), lambda found: then(found) if app.screen is before else None
        )

    # -- one -----------------------------------------------------------------------------------------------

    def why_not_comment(self) -> str:
        if why := self.not_drawn():
            return why
        view = self.diff_view
        if not view.diff.whole:
            return "this diff is too big to be drawn, and a comment wants a line of it"
        return "" if comments.at(view.diff, view.line) else "this line belongs to no file"

    def action_comment(self) -> None:
        """About the line under the cursor; what was said there before can be changed."""
        plan, view = self._commented(), self.diff_view
        if self.able("comment") and plan and (about := comments.at(view.diff, view.line)):

            def read(_: object) -> None:
                said = [c for name, c in self._unsent(plan) if name == plan.plan]
                self._write_comment(plan.plan, next((c for c in said if c.anchor == about.anchor), about))

            self._reread(read)

    def _write_comment(self, plan: str, known: Comment) -> None:
        quote = f": {cut(known.quote, QUOTE_CELLS)}" if known.quote else ""

        def typed(text: str | None) -> None:
            if text is None:
                return
            changed = Comment(known.path, known.old, known.new, known.quote, text)
            memory = self.desk.app.desk.memory_here
            if why := kept_comments.put(memory, plan, changed, known.text):
                self.say(why)
                return
            self._show_marks()
            self.desk.app.hands.aside(memory.settle, self._say_kept)

        self.desk.app.push_screen(AskComment(f"Comment on {known.place}{clean(quote)}", known.text), typed)

    def _say_kept(self, why: object) -> None:
        shows = f"{keys.key('comments')} shows and sends them"
        if why:
            words = (
                f"in this console only, it could not be written: {clean(str(why), limit=200)}. Send it before you leave"
            )
            self.say(f"{words}, or make room on the disk and comment again; {shows}", 10)
        else:
            self.desk.notify(f"kept; {shows}", timeout=3)

    def _show_marks(self) -> None:
        plan, desk = self._commented(), self.desk
        if plan:
            marks = kept_comments.marks(desk.app.desk.memory_here, desk.state, plan.plan, self.diff_view.diff)
            self.diff_view.set_marks(marks)
        desk.paint_detail()

    # -- all -----------------------------------------------------------------------------------------------

    def why_not_comments(self) -> str:
        plan = self._commented()
        if plan is None:
            return NO_DIFF
        none = f"nothing was said yet; {keys.key('comment')} on a line of the diff does"
        return "" if self._unsent(plan) else none

    def action_comments(self) -> None:
        plan = self._commented()
        if not self.able("comments"):
            if plan:  # another console may have kept some since
                self._reread(lambda _: self._list_comments(plan, False) if self._unsent(plan) else None)
        elif plan:
            self._reread(lambda _: self._list_comments(plan, True))

    def _list_comments(self, plan: Plan, had: bool) -> None:
        if had and not self._unsent(plan):
            self.say("another console sent or dropped them meanwhile; none is left to send")
            self._show_marks()
            return
        if not self.able("comments"):
            return
        said = self._unsent(plan)

        def chosen(what: str | None) -> None:
            verb, _, number = (what or "").partition(":")
            if verb == "send":
                self._ask_way(plan.plan, said)
            elif verb:
                self._with_comment(verb, plan, said[int(number)])

        self.desk.app.push_screen(Comments(plan.plan, said, self.when_alone), chosen)

    def _with_comment(self, verb: str, plan: Plan, said: Said) -> None:
        name, comment = said
        if verb == "edit":
            self._write_comment(name, comment)
        elif verb == "drop":
            kept_comments.drop(self.desk.app.desk.memory_here, [said])
            self._show_marks()
            self.action_comments() if self._unsent(plan) else self.desk.notify("dropped", timeout=2)
        else:
            self._go_to_comment(comment)

    def _go_to_comment(self, comment: Comment) -> None:
        line = self.diff_view.diff.line_of(*comment.anchor)
        if line is None:
            self.say("this diff does not have that line any more")
            return
        self.desk.detail.show("diff")
        self.diff_view.show_line(line, 2)
        self.diff_view.focus()

    # -- sending -------------------------------------------------------------------------------------------

    def _ask_way(self, plan: str, said: list[Said]) -> None:
        found, shut = commentways.ways(self._state_now, self._state_now.plans[plan])
        if not found:
            self.say(f"nobody can be told: {'; '.join(shut) or 'its session is not known'}. They are kept", 10)
            return

        def chosen(ident: str | None) -> None:
            way = next((each for each in found if each.id == ident), None)
            if way:
                self._send_comments(plan, said, way)

        self.desk.app.push_screen(SendComments(len(said), found, shut, self.when_alone), chosen)

    @property
    def _state_now(self) -> State:
        return self.desk.app.client.journal.state

    def _send_comments(self, plan: str, said: list[Said], way: Way) -> None:
        """Only what was read is sent, once, and only if that way still means what was said of it."""
        memory, hands = self.desk.app.desk.memory_here, self.desk.app.hands

        def claimed(found: tuple[list[Said], str] | Exception) -> None:
            if isinstance(found, Exception):
                self.say(f"nothing was sent: {found}", 10)
            elif not found[0]:
                self.say("another console sent or changed them meanwhile; nothing was sent, look at it again", 10)
                self._show_marks()
            elif self._way_open(plan, way):
                self._send_claimed(plan, found[0], way, len(said) - len(found[0]))
            else:
                self._put_back(found[0], CHANGED)

        if self._way_open(plan, way):
            hands.aside(lambda: kept_comments.claim(memory, said), claimed)
        else:
            self.say(CHANGED)

    def _way_open(self, plan: str, way: Way) -> bool:
        state = self._state_now
        return plan in state.plans and way in commentways.ways(state, state.plans[plan])[0]

    def _put_back(self, taken: list[Said], why: str) -> None:
        memory = self.desk.app.desk.memory_here

        def done(_: object) -> None:
            self._show_marks()
            self.say(why, 10)

        self.desk.app.hands.aside(lambda: kept_comments.release(memory, taken, back=True), done)

    def _send_claimed(self, plan: str, said: list[Said], way: Way, others: int) -> None:
        memory, hands = self.desk.app.desk.memory_here, self.desk.app.hands
        by, listed = self.desk.app.desk.who(), [comment for _, comment in said]
        command: cmd.SendPrompt | cmd.RequeueTicket
        if way.how == "prompt":
            command = cmd.SendPrompt(session=way.name, text=comments.nudge(listed, plan, anew=False), by=by)
        else:
            command = cmd.RequeueTicket(ticket=way.name, by=by, note=comments.nudge(listed, plan, anew=True))

        def outcome(result: Result) -> None:
            refused = result.reason if isinstance(result, Refused) else ""
            if refused:
                self._put_back(said, f"{refused}. Your comments are kept")
            else:
                hands.aside(lambda: kept_comments.release(memory, said, back=False), lambda _: self._show_marks())
                count = f"{len(said)} comment{'s' * (len(said) != 1)}"
                more = f"; {others} not, another console sent or changed them meanwhile" if others else ""
                self.desk.notify(f"{count} sent ({way.how} {clean(way.name, limit=60)}){more}", timeout=5)
            self.desk.sent(command, refused)

        self.desk.sending(command)
        hands.send(command, outcome, needs_hands=way.how == "prompt")
