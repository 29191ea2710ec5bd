"""Comments on lines of a diff: written, listed, edited, dropped, and sent to the agent as one nudge. What is not in the
log is not sent, and what is not sent is kept."""

from __future__ import annotations

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
            known = next((c for name, c in self._unsent(plan) if name == plan.plan and c.anchor == about.anchor), about)
            self._write_comment(plan.plan, known)

    def _write_comment(self, plan: str, known: Comment) -> None:
        quote = f": {cut(known.quote, QUOTE_CELLS)}" if known.quote else ""

        def typed(text: str | None) -> None:
            if text is None:
                return
            changed = Comment(known.path, known.old, known.new, known.quote, text)
            if why := kept_comments.put(self.desk.app.desk.memory_here, plan, changed):
                self.say(why)
                return
            self._show_marks()
            self.desk.notify(f"kept; {keys.key('comments')} shows and sends them", timeout=3)

        self.desk.app.push_screen(AskComment(f"Comment on {known.place}{clean(quote)}", known.text), typed)

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
        if not self.able("comments") or plan is None:
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
        """Only what was read is sent, and only if that way still means what was said of it."""
        state = self._state_now
        if way not in commentways.ways(state, state.plans[plan])[0] or self._unsent(state.plans[plan]) != said:
            self.say("what is true of it has changed meanwhile; nothing was sent, look at it again")
            return
        by, listed = self.desk.app.desk.who(), [comment for _, comment in said]
        command: cmd.SendPrompt | cmd.RequeueTicket
        if way.how == "prompt":
            command = cmd.SendPrompt(session=way.name, text=comments.nudge(listed, plan, anew=False), by=by)
        else:
            command = cmd.RequeueTicket(ticket=way.name, by=by, note=comments.nudge(listed, plan, anew=True))

        def outcome(result: Result) -> None:
            refused = result.reason if isinstance(result, Refused) else ""
            if refused:
                self.say(f"{refused}. Your comments are kept", 10)
            else:
                kept_comments.drop(self.desk.app.desk.memory_here, said)
                count = f"{len(said)} comment{'s' * (len(said) != 1)}"
                self.desk.notify(f"{count} sent ({way.how} {clean(way.name, limit=60)})", timeout=5)
                self._show_marks()
            self.desk.sent(command, refused)

        self.desk.sending(command)
        self.desk.app.hands.send(command, outcome, needs_hands=way.how == "prompt")
