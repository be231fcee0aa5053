// Generated from openapi.json by `npm run types`. Do not edit.

export interface paths {
    "/api/adopt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Takes over a pane of tmux in which the user started an agent by hand. */
        post: operations["adopt_session"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/adoptable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Panes of tmux outside schmux in which an agent runs. What hosts have is looked up
         *     every half minute at most, unless one is named. A server that is named tells of
         *     all its panes.
         */
        get: operations["adoptable"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/doctor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How the daemon is, as far as it can tell itself. */
        get: operations["examine"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What was said and what happened, oldest first. */
        get: operations["events"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether the daemon answers. */
        get: operations["healthz"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/hook": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Tells what an agent's hook was called with. */
        post: operations["hook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/hook/passed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Says what became of a message that came with a hook's answer. */
        post: operations["passed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/hosts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Other places where agents can live, with how it stands with them. */
        get: operations["list_hosts"];
        put?: never;
        /** Makes a host known, if the way there is good. */
        post: operations["add_host"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/hosts/{name}/answer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Answers what a host's connect command asks. */
        post: operations["answer_host"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/hosts/{name}/connect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Connects to a host, at once. */
        post: operations["connect_host"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/hosts/{name}/disconnect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Lets a host go. Its agents keep running, unless its `release` ends them. */
        post: operations["disconnect_host"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/hosts/{name}/remove": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Forgets a host that no session is on. */
        post: operations["remove_host"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/hosts/{name}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Tries the way to a host, and looks which agents are there. */
        post: operations["test_host"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/inbox": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Takes the messages that wait for the agent that asks; for agents, by their own token. */
        post: operations["fetch_messages"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Messages to agents with what became of them, oldest first; those that wait by
         *     session and in the order in which they will be delivered.
         */
        get: operations["messages"];
        put?: never;
        /** Puts a message into the outboxes of the agents that it is for. */
        post: operations["post_messages"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/messages/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Takes a message back, if it is not being written already. */
        post: operations["cancel_message"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/messages/{id}/first": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Puts a message before the others that wait for the same agent. */
        post: operations["promote_message"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/messages/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Has a message that waits tried again at once. */
        post: operations["retry_message"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/notifiers/{name}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sends a test by a notifier of `config.toml`, as it stands there now. */
        post: operations["test_notifier"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/presets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The presets of `config.toml`, by name. */
        get: operations["presets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/recent": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Directories where something was spawned, the last used first. */
        get: operations["recent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/replays": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What was recorded of sessions, those disposed included, the last one to change first. */
        get: operations["list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All sessions, the newest workspace's first. */
        get: operations["sessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One session, by its id, its nickname or the beginning of its id. */
        get: operations["session"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/ack": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The human has seen the session's calls up to this one; nobody rings for them any more. */
        post: operations["acknowledge"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/again": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The request that starts another session like this one, whether it runs or has ended. */
        get: operations["again"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/answer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Answers the dialog on a session's screen: exactly that one, or nothing is
         *     typed (409 `dialog_gone`).
         */
        post: operations["answer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/capture": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The screen as text. */
        get: operations["capture"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/details": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The command line, directory and variables that a session was started with. */
        get: operations["details"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/dispose": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ends a session's program and forgets the session. An adopted one is only let
         *     go. With `remove_workspace` its directory goes too, if nothing would be lost.
         */
        post: operations["dispose"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Types into a session. */
        post: operations["keys"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A recording's time line: how busy it was, what is missing, what happened. */
        get: operations["overview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/replay/cast": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A recording, or a part of it, as an asciicast file; signals are its markers. */
        get: operations["cast"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/replay/frames": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A part of a recording, from the keyframe at or before `from`. */
        get: operations["frames"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/ring": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Asks whether this device may ring for a call. One device may, once. */
        post: operations["ring"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/signal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Says how a session stands, for scripts. */
        post: operations["signal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/why": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What every source says of a session's state, and which rule won. */
        get: operations["why"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What can be set, what it means, and what `config.toml` says. */
        get: operations["settings"];
        /** Changes `config.toml`, all of the change or nothing. */
        put: operations["change_settings"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/spawn": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Starts sessions, and tells which ones. */
        post: operations["spawn_sessions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/ssh-names": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The names that the user's ssh knows (`~/.ssh/config`, patterns left out). */
        get: operations["list_ssh_names"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The daemon's address, home and tmux server. */
        get: operations["status"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/targets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What can be spawned. */
        get: operations["targets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/workspaces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All workspaces with their sessions. */
        get: operations["workspaces"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/workspaces/{id}/diff": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Everything that differs from HEAD, untracked files included. */
        get: operations["diff"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/workspaces/{id}/git": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The branch, what changed, what is not pushed, and what would be lost with the directory. */
        get: operations["git"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/workspaces/{id}/remove": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Removes the directory of a workspace that schmux made and in which no session is left. */
        post: operations["remove_workspace"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description The human has seen the calls of a session up to this one. */
        AckRequest: {
            /** Format: int64 */
            seq: number;
        };
        /** @description A stretch of output. */
        Activity: {
            /** Format: int64 */
            bytes: number;
            /** Format: int64 */
            from: number;
            /** Format: int64 */
            to: number;
        };
        AdoptRequest: {
            /** @description The host that it is on. Default: this machine. */
            host?: string | null;
            nickname?: string | null;
            /**
             * @description Which of its panes: an id (`%5`, which needs no session), a window (`2`, by
             *     its index or its name) or one in a window (`2.1`).
             */
            pane?: string | null;
            /** @description A socket's path, or a name as for `tmux -L`. Default: tmux's own default. */
            socket?: string | null;
            target?: string | null;
            /**
             * @description The tmux session to take over. Of several panes it is the one in which an
             *     agent runs.
             */
            tmux_session?: string | null;
        };
        /** @description A pane of tmux outside schmux in which an agent runs. */
        Adoptable: {
            command: string;
            /** @description The host that it is on, if it isn't this machine. */
            host?: string | null;
            /** @description tmux's id of the pane: `%5`. */
            pane: string;
            path: string;
            /** @description The pane by its session, window and index, as tmux shows it: `work:2.1`. */
            place?: string | null;
            /** @description The path of the tmux server's socket. */
            socket: string;
            /** @description The known agent that runs in it, if one does. */
            target?: string | null;
            tmux_session: string;
        };
        AnswerReply: {
            /** @description Whether the dialog was seen to close. If not, its keys were sent and it still stands there. */
            closed: boolean;
        };
        /** @description An answer to a dialog. */
        AnswerRequest: {
            /** @description Which of its choices, from 0. */
            choice: number;
            /** @description The dialog's `id`. */
            dialog: string;
        };
        /** @description Every error of the API. */
        ApiError: {
            /** @description What to do about it. */
            advice?: string | null;
            /** @description A stable word for programs: `no_such_session`, `unknown_target`, … */
            code: string;
            /** @description What failed, and on what. */
            message: string;
        };
        /** @description A pane's screen as text. */
        Capture: {
            alternate_screen: boolean;
            /** Format: int32 */
            cols: number;
            /** @description Column and row of the cursor, from 0. */
            cursor: [
                number,
                number
            ];
            /** @description Whether the program shows it. */
            cursor_visible: boolean;
            /** Format: int32 */
            rows: number;
            text: string;
        };
        /** @enum {string} */
        ChangeKind: "added" | "modified" | "deleted" | "renamed" | "copied" | "type_changed" | "untracked" | "conflicted";
        /** @description A file that differs from HEAD. */
        ChangedFile: {
            /**
             * Format: int32
             * @description Lines; absent for binary files, and for untracked ones that are too large to count.
             */
            additions?: number | null;
            /** Format: int32 */
            deletions?: number | null;
            /** @description Where it was renamed or copied from. */
            old_path?: string | null;
            /** @description From the top of the repository. */
            path: string;
            staged: boolean;
            status: components["schemas"]["ChangeKind"];
            /** @description It has changes that are not staged. */
            unstaged: boolean;
        };
        Check: {
            /** @description What to do about it. */
            advice?: string | null;
            detail: string;
            name: string;
            result: components["schemas"]["CheckResult"];
        };
        /**
         * @description How one of `schmux doctor`'s checks came out.
         * @enum {string}
         */
        CheckResult: "ok" | "warning" | "error";
        /** @description A commit in a list. */
        Commit: {
            /** Format: date-time */
            at: string;
            author: string;
            id: string;
            subject: string;
        };
        /** @enum {string} */
        Confidence: "high" | "medium" | "low";
        /** @description The daemon, as `schmux status --json` tells it. */
        DaemonStatus: {
            home: string;
            /** Format: int32 */
            pid: number;
            /** Format: int32 */
            port: number;
            /** Format: int32 */
            sessions: number;
            /** Format: date-time */
            started_at: string;
            /** @description The name of the first tmux server's socket (`tmux -L NAME`). */
            tmux_socket: string;
            tmux_version: string;
            url: string;
            version: string;
        };
        /** @description What `/ws/dashboard` sends: everything of a kind, whenever something of it changed. */
        DashboardMessage: {
            /** @enum {string} */
            type: "sessions";
            workspaces: components["schemas"]["Workspace"][];
        } | {
            hosts: components["schemas"]["HostStatus"][];
            /** @enum {string} */
            type: "hosts";
        } | {
            /** @enum {string} */
            type: "alive";
        };
        /** @description A dialog on a session's screen. Everything that is written in it is untrusted text. */
        Dialog: {
            /** @description What stands between the title and the question: a command, a diff, an explanation. */
            body?: string[];
            choices: components["schemas"]["DialogChoice"][];
            /** @description Names this very dialog, for an answer to it. */
            id: string;
            kind: components["schemas"]["DialogKind"];
            /** @description Several may be ticked before it is sent, which only a person at its terminal can do. */
            multiple?: boolean;
            question: string;
            /** Format: date-time */
            since: string;
            title?: string | null;
        };
        DialogChoice: {
            /** @description Whether schmux knows keys that choose it for sure. */
            answerable: boolean;
            detail?: string | null;
            label: string;
            /** @description Enter would take it. */
            selected: boolean;
        };
        /** @enum {string} */
        DialogKind: "permission" | "question" | "plan" | "trust" | "login" | "menu" | "other";
        EnvVariable: {
            name: string;
            secret: boolean;
            /** @description Of a secret only its length is shown. */
            value: string;
        };
        /** @description One file's difference from HEAD. */
        FileDiff: {
            binary: boolean;
            /** @description The diff is longer than what is shown of it. */
            cut: boolean;
            /**
             * @description A unified diff with its `diff --git` header. Untrusted text; bytes that
             *     aren't UTF-8 are replaced. Empty for binary files.
             */
            diff: string;
            old_path?: string | null;
            path: string;
            status: components["schemas"]["ChangeKind"];
        };
        Gap: {
            /** Format: int64 */
            from: number;
            reason: components["schemas"]["GapReason"];
            /** Format: int64 */
            to: number;
        };
        /**
         * @description Why a part of a recording is missing.
         * @enum {string}
         */
        GapReason: "flood" | "behind" | "away";
        /** @description Everything that differs from HEAD, untracked files included. */
        GitDiff: {
            files: components["schemas"]["FileDiff"][];
            /** @description Files that are left out because there is too much; ask for them by `path`. */
            left_out: string[];
        };
        /**
         * @description The git state of a workspace, for `GET /api/workspaces/{id}/git`. Paths,
         *     branches and subjects are untrusted text.
         */
        GitState: {
            /**
             * Format: int32
             * @description Commits that the upstream does not have, and those that only it has.
             */
            ahead: number;
            /** Format: int32 */
            behind: number;
            /** @description Absent when HEAD is detached. */
            branch?: string | null;
            /** @description At most 1000 files, in the order of their paths. */
            changed: components["schemas"]["ChangedFile"][];
            /** @description The commit that is checked out; absent before the first one. */
            head?: string | null;
            /** @description Without a repository everything else is empty. */
            is_repo: boolean;
            /**
             * Format: int32
             * @description How many more there are.
             */
            more_changed: number;
            risk: components["schemas"]["Risk"];
            /** Format: int32 */
            stashes: number;
            /** @description The newest commits of HEAD that no remote has, at most 50, newest first. */
            unpushed: components["schemas"]["Commit"][];
            /**
             * Format: int32
             * @description How many such commits there are.
             */
            unpushed_count: number;
            /** @description Like `origin/main`. */
            upstream?: string | null;
        };
        Health: {
            /** @description Always `ok`: a daemon that answers is well. */
            status: string;
            version: string;
        };
        /** @description One line of the history. */
        HistoryEntry: components["schemas"]["HistoryWhat"] & {
            /** Format: date-time */
            at: string;
            /**
             * Format: int64
             * @description Grows by one with every line, over all sessions.
             */
            number: number;
            session_id: string;
        };
        HistoryWhat: {
            /** @description Untrusted text. */
            message: string;
            /**
             * Format: int64
             * @description The number of the call that it made.
             */
            nudge_seq?: number | null;
            /** @description `status_file`, `events_file`, `marker`, `hook` or `cli`. */
            source: string;
            state: components["schemas"]["Status"];
            /** @enum {string} */
            type: "signal";
        } | {
            /** Format: int64 */
            nudge_seq: number;
            /** @enum {string} */
            type: "cleared";
        } | {
            /** Format: int32 */
            exit_code?: number | null;
            reason?: string | null;
            status: components["schemas"]["Status"];
            /** @enum {string} */
            type: "life";
        } | {
            confidence: components["schemas"]["Confidence"];
            /** @description Why, in words. */
            rule: string;
            state: components["schemas"]["Status"];
            /** @enum {string} */
            type: "verdict";
        } | {
            receipt: components["schemas"]["MessageReceipt"];
            /** @enum {string} */
            type: "message";
        } | {
            data: string;
            kind: string;
            /** @enum {string} */
            type: "record";
        };
        HookReply: {
            /** @description There is a message in it: `POST /api/hook/passed` tells when it was printed. */
            message?: boolean;
            /** @description What the hook prints, for the agent to read. */
            output?: string | null;
        };
        /**
         * @description What an agent's hook tells. The same object goes to the events file, as a
         *     line of type `hook`, if the daemon doesn't answer in time: of two with the
         *     same `id` the second is dropped.
         */
        HookRequest: {
            /** @description The known agent whose hook it is. */
            agent: string;
            /** @description Nothing that it prints reaches the agent. */
            deaf?: boolean;
            /** @description The agent's own name for what has happened. */
            event: string;
            /** @description Random, one for each call of a hook. */
            id: string;
            /** @description The agent's JSON. Long strings in it are cut. */
            payload: Record<string, never>;
            session_id: string;
            /** Format: date-time */
            ts: string;
        };
        /** @description A question of a connect command: a passphrase, a host key, a second factor. */
        HostPrompt: {
            /** Format: int64 */
            id: number;
            /** @description Whether the answer must not be shown. */
            secret: boolean;
            /** @description In the command's own words. Untrusted text. */
            text: string;
        };
        /** @description A host to be known from now on. */
        HostRequest: {
            /** @description The same with a terminal, for `schmux attach`. */
            attach?: string[];
            /** @description A command that runs the rest of its arguments there. */
            connect: string[];
            name: string;
        };
        /**
         * @description How it stands with a host.
         * @enum {string}
         */
        HostState: "idle" | "connecting" | "connected" | "unreachable";
        /** @description A place where agents can live, besides this machine. */
        HostStatus: {
            /** @description Agents that were found there. */
            agents: string[];
            /**
             * Format: int64
             * @description How far its clock is ahead of this machine's, in milliseconds, to the second.
             */
            clock_skew_ms?: number | null;
            /** @description The command that reaches it. */
            connect: string[];
            /** @description Whether it stands in `config.toml`, rather than being added by `host add`. */
            from_config: boolean;
            name: string;
            /** @description Whether writes to signal files are noticed there at once, or polled for. */
            notified?: boolean | null;
            prompt?: components["schemas"]["HostPrompt"] | null;
            reason?: string | null;
            /** @description Whether a command of its own ends what runs there when it is let go. */
            releases?: boolean;
            /** Format: int32 */
            sessions: number;
            /**
             * Format: date-time
             * @description Since when it is in this state.
             */
            since?: string | null;
            state: components["schemas"]["HostState"];
            /** @description Like `Linux x86_64`. */
            system?: string | null;
            tmux_version?: string | null;
        };
        /** @description A message that the agent has fetched. */
        InboxMessage: {
            /** Format: date-time */
            at: string;
            /** @description The session that sent it; absent for a human. */
            from?: string | null;
            /** Format: int64 */
            id: number;
            /** @description With the line above it that says who wrote it, and how to answer. */
            text: string;
        };
        /** @enum {string} */
        KeyframeReason: "attached" | "behind" | "reseeded" | "requested";
        /** @description Keys for a pane: first `text` (as typed), then `paste`, then `keys` by tmux name. */
        KeysRequest: {
            /** @description tmux key names: `Enter`, `C-c`, `Up`, … */
            keys?: string[];
            /** @description Text that arrives as one bracketed paste where the program asked for that. */
            paste?: string | null;
            text?: string | null;
        };
        /** @description A message with all that became of it. */
        Message: {
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            expires_at?: string | null;
            /** @description The session that sent it; absent for a human. */
            from?: string | null;
            /** Format: int64 */
            id: number;
            reason?: string | null;
            /** @description Oldest first. */
            receipts: components["schemas"]["MessageReceipt"][];
            session_id: string;
            state: components["schemas"]["MessageState"];
            text: string;
            urgent: boolean;
        };
        /** @description One step in a message's life. */
        MessageReceipt: {
            /** Format: date-time */
            at: string;
            /** Format: int64 */
            message_id: number;
            /** @description Why it waits, how it was proven, or why it failed, for people. */
            reason?: string | null;
            state: components["schemas"]["MessageState"];
        };
        /** @description A text for one agent or several. */
        MessageRequest: {
            /** @description All sessions that run. */
            all?: boolean;
            /**
             * Format: int64
             * @description Seconds after which it isn't worth delivering.
             */
            expires_s?: number | null;
            /** @description Those that wait for the human. */
            needs_me?: boolean;
            /** @description Up to 1 MB, of any lines and characters. */
            text: string;
            /** @description Sessions: ids, nicknames or beginnings of ids. */
            to?: string[];
            /** @description Goes before the others, and while the agent works where that is safe. */
            urgent?: boolean;
        };
        /**
         * @description How far a message is.
         * @enum {string}
         */
        MessageState: "queued" | "held" | "written" | "submitted" | "confirmed" | "indeterminate" | "failed";
        /** @description A call for the human, as it is open now, or what was made of a silent agent's words. */
        Nudge: {
            confidence: components["schemas"]["Confidence"];
            /**
             * @description What it follows from, for people: `status file`, `hook`, …; of an opinion
             *     whose it is, and the words that it rests on. Untrusted text.
             */
            evidence: string[];
            source: components["schemas"]["NudgeSource"];
            /** @description `Completed`, `Needs Authorization`, `Needs User Testing` or `Error`. */
            state: string;
            /** @description What the agent said, or what it seems to want. Untrusted text. */
            summary: string;
        };
        /** @enum {string} */
        NudgeSource: "agent" | "llm";
        /** @description A hook has passed on the message that came with its answer, or couldn't. */
        PassedRequest: {
            /** @description The hook's call, as in its `HookRequest`. */
            id: string;
            passed: boolean;
            session_id: string;
        };
        /**
         * @description `[presets.NAME]` of `config.toml`, for `GET /api/presets`. A spawn request
         *     that names it gets what it doesn't say itself from here.
         */
        Preset: {
            args?: string[];
            clone?: string | null;
            /** Format: int32 */
            count?: number | null;
            description?: string | null;
            host?: string | null;
            name: string;
            nickname?: string | null;
            prompt?: string | null;
            targets: string[];
            workspace?: string | null;
            worktree?: string | null;
        };
        /** @description What a human answers to a host's prompt. Without `answer` it is refused. */
        PromptAnswer: {
            answer?: string | null;
            /** Format: int64 */
            id: number;
        };
        /** @description A directory where something was spawned, for `GET /api/recent`: the last used first. */
        RecentWorkspace: {
            branch?: string | null;
            host: string;
            kind: components["schemas"]["WorkspaceKind"];
            /** Format: date-time */
            last_used_at: string;
            path: string;
            /**
             * Format: int32
             * @description How many sessions are in it now.
             */
            sessions: number;
            /** @description The workspace's id, while it has sessions. */
            workspace_id?: string | null;
        };
        /**
         * @description A recording, for `GET /api/replays`: newest first. Those of sessions that
         *     were disposed stay until they are the oldest and the space is needed.
         */
        Recording: {
            /**
             * Format: int64
             * @description What it takes on disk.
             */
            bytes: number;
            /**
             * Format: int64
             * @description The first and the last moment in it.
             */
            from: number;
            nickname?: string | null;
            session_id: string;
            /** @description Absent when the session was disposed. */
            target?: string | null;
            /** Format: int64 */
            to: number;
        };
        /** @description An overview of a recording, for `GET /api/sessions/{id}/replay`. */
        Replay: components["schemas"]["Recording"] & {
            /** @description How much was printed when, for a time line. */
            activity: components["schemas"]["Activity"][];
            /** @description When nothing was recorded, and why. */
            gaps: components["schemas"]["Gap"][];
            /** @description Signals, calls, messages and ends within it, oldest first. */
            marks: components["schemas"]["HistoryEntry"][];
        };
        /** @description One step of a recording. */
        ReplayFrame: {
            /** Format: int64 */
            at: number;
            /** Format: int32 */
            cols: number;
            data: string;
            /** Format: int32 */
            rows: number;
            /** @enum {string} */
            type: "keyframe";
        } | {
            /** Format: int64 */
            at: number;
            data: string;
            /** @enum {string} */
            type: "output";
        } | {
            /** Format: int64 */
            at: number;
            reason: components["schemas"]["GapReason"];
            /** @enum {string} */
            type: "gap";
        };
        /** @description A part of a recording. */
        ReplayFrames: {
            frames: components["schemas"]["ReplayFrame"][];
            /** @description The `after` of the next question; absent at the end of the recording (or at `to`). */
            next?: string | null;
        };
        /** @description Whether this device is the one that rings. */
        RingReply: {
            granted: boolean;
        };
        /** @description A device wants to ring for a call. */
        RingRequest: {
            /** @description A name for this device, so that it may ask again if the answer got lost. */
            claim?: string;
            /** Format: int64 */
            seq: number;
        };
        /**
         * @description What would be gone if the workspace's directory were. A directory that was
         *     there before schmux, and one with other sessions in it, is never removed.
         */
        Risk: {
            /** @description What would be lost with the directory, in words; empty when nothing would. */
            lost: string[];
            /** @description Whether `dispose?remove_workspace=true` could remove the directory. */
            removable: boolean;
            /** Format: int32 */
            stashes: number;
            /**
             * Format: int32
             * @description Files that are tracked and differ from HEAD.
             */
            uncommitted: number;
            /**
             * Format: int32
             * @description Commits that no remote has.
             */
            unpushed: number;
            /** Format: int32 */
            untracked: number;
        };
        /** @description What a session has said, as part of the session. */
        Said: {
            /**
             * Format: int64
             * @description The newest call that the human has seen, on any device.
             */
            acked_seq: number;
            /** @description What the agent adds to its state: `progress`, `task`, `blocker` and others. */
            details?: {
                [key: string]: string;
            };
            /** Format: date-time */
            last_signal_at?: string | null;
            nudge?: components["schemas"]["Nudge"] | null;
            /**
             * Format: date-time
             * @description Since when the call is open.
             */
            nudge_at?: string | null;
            /**
             * Format: int64
             * @description Counts the calls of this session. It only grows.
             */
            nudge_seq: number;
            /** @description How the open call is shown: `Needs Authorization`, … Absent when there is none. */
            nudge_state?: string | null;
            nudge_summary?: string | null;
            /**
             * Format: int64
             * @description The newest call that some device has rung for.
             */
            rung_seq: number;
        };
        /** @description One agent in one tmux session, in a workspace, on a host. */
        Session: components["schemas"]["Said"] & {
            /** @description Whether the user started it by hand and schmux only watches it. */
            adopted: boolean;
            /** @description A command that attaches a terminal to it without schmux. */
            attach_cmd: string;
            /** Format: int32 */
            cols: number;
            /** @description The command line that runs in the pane. */
            command: string[];
            /** Format: date-time */
            created_at: string;
            dialog?: components["schemas"]["Dialog"] | null;
            events_file: string;
            /** Format: int32 */
            exit_code?: number | null;
            /** @description `local`, or the name of another host. */
            host: string;
            /** @description `<workspace id>-<8 characters>`. */
            id: string;
            /**
             * Format: date-time
             * @description When its pane last printed something, to the second.
             */
            last_output_at?: string | null;
            /** @description Messages to it whose fate is not known yet, in their order. */
            mail?: components["schemas"]["MessageReceipt"][];
            nickname?: string | null;
            /** @description tmux's id of its pane, for one that was adopted: `%5`. */
            pane?: string | null;
            /** @description Why it is unreachable, or how it ended. */
            reason?: string | null;
            /** Format: int32 */
            rows: number;
            status: components["schemas"]["Status"];
            status_file: string;
            /** @description What was asked to run: `claude`, `demo`, a name from `config.toml`. */
            target: string;
            /** @description The title that the program gave its terminal. Untrusted text. */
            title?: string | null;
            tmux_session: string;
            /** @description How sure the status is, why, and since when. */
            verdict: components["schemas"]["Verdict"];
            workspace_id: string;
        };
        /** @description How a session was started, for `GET /api/sessions/{id}/details`, as tmux knows it. */
        SessionDetails: {
            /** @description The command line that tmux runs, hooks and all, for a shell. Secrets in it are masked. */
            command: string;
            /** @description The directory that it was started in. */
            dir: string;
            /** @description What was set for it, by name. */
            env: components["schemas"]["EnvVariable"][];
            /**
             * Format: int32
             * @description The pid of the pane's first program.
             */
            pid?: number | null;
        };
        /** @description All settings, for `GET /api/settings`, and the answer of `PUT /api/settings`. */
        Settings: {
            /** @description Names this state of the file; a change must bring it along. */
            etag: string;
            /** @description Where `config.toml` is (or would be). */
            path: string;
            problem?: components["schemas"]["SettingsProblem"] | null;
            /** @description Whether the file says something that counts from the next start only. */
            restart_needed: boolean;
            /** @description `[server]` and the like. */
            sections: components["schemas"]["SettingsSection"][];
            /** @description `[targets.NAME]` and the like: as many as one wants. */
            tables: components["schemas"]["SettingsTable"][];
            /** @description The file as it is; empty when there is none. */
            text: string;
        };
        /**
         * @description A change of `config.toml`, for `PUT /api/settings`: either `set` and
         *     `unset`, which keep comments and everything else as it is, or a whole `text`.
         *     It is checked as at a start, and nothing is written if it is wrong
         *     (422 `bad_settings`, whose message names line and column) or if the file is no
         *     longer what `etag` names (409 `settings_changed`).
         */
        SettingsChange: {
            etag: string;
            /**
             * @description Values by their dotted names: `server.port`, `targets.mine.command`. Names
             *     with other characters than letters, digits, `-` and `_` are quoted as in TOML.
             */
            set?: Record<string, never>;
            text?: string | null;
            /** @description Keys and whole tables to take out: `spawn.cols`, `targets.mine`. */
            unset?: string[];
        };
        /** @description One key of a section, or of the entries of a table. */
        SettingsKey: {
            /** @description The valid values, where there are few. */
            choices?: string[];
            /** @description Its default as a value; null when there is none. */
            default: unknown;
            /** @description Its default in words: `7337`, `that of base`. In Markdown. */
            default_words: string;
            /** @description What it means, in Markdown. */
            doc: string;
            kind: components["schemas"]["SettingsKind"];
            /** @description Like `port`. */
            name: string;
            /** @description An environment variable that wins over the file now. */
            overridden_by?: string | null;
            /** @description Whether a change counts from the next start only. */
            restart: boolean;
            /** @description What the file says; null when it doesn't. */
            value: unknown;
        };
        /**
         * @description What a value looks like.
         * @enum {string}
         */
        SettingsKind: "boolean" | "integer" | "number" | "text" | "list" | "map";
        /** @description A mistake in `config.toml`, with its place. */
        SettingsProblem: {
            /** Format: int32 */
            column: number;
            /** Format: int32 */
            line: number;
            message: string;
        };
        SettingsSection: {
            /** @description A few words of introduction, in Markdown; may be empty. */
            doc: string;
            keys: components["schemas"]["SettingsKey"][];
            /** @description Like `server`. */
            name: string;
        };
        SettingsTable: {
            doc: string;
            /** @description What the file says, by the entries' names. */
            entries: Record<string, never>;
            /** @description What an entry may say; `value` and `overridden_by` mean nothing here. */
            keys: components["schemas"]["SettingsKey"][];
            /** @description Like `targets`. */
            name: string;
        };
        /** @description A signal from a script, for `POST /api/sessions/{id}/signal`. */
        SignalRequest: {
            /** @description `progress`, `task`, `blocker` and whatever else there is to say. */
            details?: {
                [key: string]: string;
            };
            /** @description Random, so that a signal which is also in the events file counts once. */
            id: string;
            message?: string;
            state: string;
        };
        /** @description What to run, where, and how many of it. */
        SpawnRequest: {
            /** @description More arguments for the target's command. */
            args?: string[];
            /** @description A git URL to clone into a new workspace. */
            clone?: string | null;
            /** Format: int32 */
            cols?: number | null;
            /**
             * Format: int32
             * @description Default 1, at most 200.
             */
            count?: number | null;
            /**
             * @description Where to run it: `local`, or the name of a host. Default: where the
             *     workspace is, or this machine.
             */
            host?: string | null;
            nickname?: string | null;
            /** @description A preset of `config.toml`: it says what this request doesn't. */
            preset?: string | null;
            prompt?: string | null;
            /** Format: int32 */
            rows?: number | null;
            /** @description What to run. Needed unless `targets` or `preset` says it. */
            target?: string;
            /** @description Several at once, each `count` times; `target` comes before them if it is given too. */
            targets?: string[];
            /** @description A directory, or the id of a known workspace. Default: the home directory of the daemon's user. */
            workspace?: string | null;
            /** @description A branch: makes (or reuses) a git worktree for it, off the repository in `workspace`. */
            worktree?: string | null;
        };
        StateChange: {
            /** Format: date-time */
            at: string;
            confidence: components["schemas"]["Confidence"];
            from: components["schemas"]["Status"];
            rule: string;
            to: components["schemas"]["Status"];
        };
        /**
         * @description What a session is doing, as far as schmux can tell.
         * @enum {string}
         */
        Status: "starting" | "working" | "needs_input" | "needs_testing" | "completed" | "error" | "idle" | "unknown" | "exited" | "unreachable";
        /** @description Something that can be spawned. */
        Target: {
            /** @description Whether its program was found. */
            available: boolean;
            /** @description The known agent behind it, if there is one (`claude-opus` → `claude`). */
            base?: string | null;
            command: string[];
            /** @description A few words for a person. */
            description: string;
            /** @description How to get it, if it was not found. */
            install?: string | null;
            kind: components["schemas"]["TargetKind"];
            name: string;
            /** @description Where it was found. */
            path?: string | null;
        };
        /**
         * @description What kind of thing a target is.
         * @enum {string}
         */
        TargetKind: "demo" | "agent" | "model" | "command";
        /**
         * @description Text frames from the daemon on `/ws/terminal/{id}`. Binary frames are
         *     terminal bytes: right after a `keyframe` the one that redraws everything,
         *     otherwise the pane's output as it came.
         */
        TerminalMessage: {
            /** Format: int32 */
            cols: number;
            /**
             * Format: int32
             * @description How many lines of history precede the screen in it. With `null` the
             *     terminal keeps the scrollback it has: only the screen is redrawn.
             */
            history?: number | null;
            reason: components["schemas"]["KeyframeReason"];
            /** Format: int32 */
            rows: number;
            /** @enum {string} */
            type: "keyframe";
        } | {
            /** Format: int32 */
            cols: number;
            owner: boolean;
            /** Format: int32 */
            rows: number;
            /** @enum {string} */
            type: "size";
        } | {
            /** Format: int32 */
            exit_code?: number | null;
            /** @enum {string} */
            type: "exited";
        } | {
            reason: string;
            /** @enum {string} */
            type: "unreachable";
        } | {
            /** @enum {string} */
            type: "gone";
        };
        /** @description Text frames from the browser on `/ws/terminal/{id}`. Binary frames are keys, as bytes. */
        TerminalRequest: {
            /** Format: int64 */
            bytes: number;
            /** @enum {string} */
            type: "ack";
        } | {
            claim?: boolean;
            /** Format: int32 */
            cols: number;
            /** Format: int32 */
            rows: number;
            /** @enum {string} */
            type: "resize";
        } | {
            text: string;
            /** @enum {string} */
            type: "paste";
        } | {
            /** Format: int32 */
            history: number;
            /** @enum {string} */
            type: "refresh";
        };
        /** @description What a session is doing, by all that is known of it. */
        Verdict: {
            confidence: components["schemas"]["Confidence"];
            /** @description The agent's words, a dialog's question, an error line. Untrusted text. */
            message?: string | null;
            /** @description Why, in words that stand behind "because". */
            rule: string;
            /**
             * Format: date-time
             * @description Since when it is in this state.
             */
            since: string;
            /** @description The same as the session's `status`. */
            state: components["schemas"]["Status"];
        };
        /** @description What one source says. */
        Vote: {
            /** Format: int64 */
            age_ms: number;
            /** Format: date-time */
            at: string;
            /** @description The rule that won goes by it. */
            decided: boolean;
            /** @description In words. Untrusted text. */
            says: string;
            /**
             * @description `screen`, `title`, `hook`, `aside`, `status_file`, `events_file`, `marker`, `cli`, `life`,
             *     `front`, `children`, `output`, `bell`, `human`, `message` or `model`.
             */
            source: string;
            state?: components["schemas"]["Status"] | null;
        };
        /** @description Why a session is shown as it is. */
        Why: {
            /** @description The last changes since the daemon started, newest first. */
            changes: components["schemas"]["StateChange"][];
            /**
             * Format: int64
             * @description How often what was told was not what was seen, and the last time in words.
             */
            drifts: number;
            last_drift?: string | null;
            /** @description Whose screens are read for it: a known agent's, or `generic`. */
            reader: string;
            session_id: string;
            verdict: components["schemas"]["Verdict"];
            /** @description What every source says, the strongest kinds first. */
            votes: components["schemas"]["Vote"][];
        };
        /** @description A directory where agents work, with the sessions in it. */
        Workspace: {
            /** @description The branch that a worktree was made for. */
            branch?: string | null;
            /** Format: date-time */
            created_at: string;
            host: string;
            /** @description Like `myproj-001`. */
            id: string;
            kind: components["schemas"]["WorkspaceKind"];
            path: string;
            sessions: components["schemas"]["Session"][];
        };
        /**
         * @description How a workspace's directory came to be.
         * @enum {string}
         */
        WorkspaceKind: "directory" | "worktree" | "clone";
    };
    responses: {
        /** @description The body has another shape, or what it asks for can't be done */
        CantBeDone: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description A fault of schmux */
        Fault: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description Not for pages of other sites, or not for this agent */
        Forbidden: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The body is not declared as JSON */
        NotJson: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description There is no token, or a wrong one */
        NotLoggedIn: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The Host header is no name that this schmux answers to */
        OtherHost: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The body is too long */
        TooLong: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The daemon stops, or tmux or a host can't be reached */
        Unavailable: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The request itself is wrong: its Host header, a parameter, a value */
        Wrong: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    adopt_session: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AdoptRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            400: components["responses"]["Wrong"];
            401: components["responses"]["NotLoggedIn"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            413: components["responses"]["TooLong"];
            415: components["responses"]["NotJson"];
            421: components["responses"]["OtherHost"];
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            500: components["responses"]["Fault"];
            503: components["responses"]["Unavailable"];
        };
    };
    adoptable: {
        parameters: {
            query?: {
                /**
                 * @description Looks on this host only (`local` is this machine). Default: this machine and
                 *     all hosts that are connected.
                 */
                host?: string;
                /**
                 * @description Looks at this tmux server only, and tells of all its panes: a socket's path,
                 *     or a name as for `tmux -L`.
                 */
                socket?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Adoptable"][];
                };
            };
            400: components["responses"]["Wrong"];
            401: components["responses"]["NotLoggedIn"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            421: components["responses"]["OtherHost"];
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            500: components["responses"]["Fault"];
            503: components["responses"]["Unavailable"];
        };
    };
    examine: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Check"][];
                };
            };
            400: components["responses"]["Wrong"];
            401: components["responses"]["NotLoggedIn"];
            403: components["responses"]["Forbidden"];
            421: components["responses"]["OtherHost"];
            500: components["responses"]["Fault"];
            503: components["responses"]["Unavailable"];
        };
    };
    events: {
        parameters: {
            query?: {
                /** @description Those after this number, oldest first. Without it: the newest ones. */
                after?: number;
                /** @description Only of this session: its id, its nickname or the beginning of its id. */
                session?: string;
                /** @description Default 100, at most 1000. */
                limit?: number;
                /** @description With `after`: waits up to this many milliseconds (at most 25,000) for a line. */
                wait_ms?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HistoryEntry"][];
                };
            };
            400: components["responses"]["Wrong"];
            401: components["responses"]["NotLoggedIn"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            421: components["responses"]["OtherHost"];
            500: components["responses"]["Fault"];
            503: components["responses"]["Unavailable"];
        };
    };
    healthz: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
            400: components["responses"]["Wrong"];
            401: components["responses"]["NotLoggedIn"];
            403: components["responses"]["Forbidden"];
            421: components["responses"]["OtherHost"];
            500: components["responses"]["Fault"];
            503: components["responses"]["Unavailable"];
        };
    };
    hook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["HookRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HookReply"];
                };
            };
            400: components["responses"]["Wrong"];
            401: components["responses"]["NotLoggedIn"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            413: components["responses"]["TooLong"];
            415: components["responses"]["NotJson"];
            421: components["responses"]["OtherHost"];
            422: components["responses"]["CantBeDone"];
            500: components["responses"]["Fault"];
            503: components["responses"]["Unavailable"];
        };
    };
    passed: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PassedRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Wrong"];
            401: components["responses"]["NotLoggedIn"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            413: components["responses"]["TooLong"];
            415: components["responses"]["NotJson"];
            421: components["responses"]["OtherHost"];
            422: components["responses"]["CantBeDone"];
            500: components["responses"]["Fault"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_hosts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HostStatus"][];
                };
            };
            400: components["responses"]["Wrong"];
            401: components["responses"]["NotLoggedIn"];
            403: components["responses"]["Forbidden"];
            421: components["responses"]["OtherHost"];
            500: components["responses"]["Fault"];
            503: components["responses"]["Unavailable"];
        };
    };
    add_host: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["HostRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HostStatus"];
                };
            };
            400: components["responses"]["Wrong"];
            401: components["responses"]["NotLoggedIn"];
            403: components["responses"]["Forbidden"];
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            413: components["responses"]["TooLong"];
            415: components["responses"]["NotJson"];
            421: components["responses"]["OtherHost"];
            422: components["responses"]["CantBeDone"];
            500: components["responses"]["Fault"];
            503: components["responses"]["Unavailable"];
        };
    };
    answer_host: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PromptAnswer"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Wrong"];
            401: components["responses"]["NotLoggedIn"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            413: components["responses"]["TooLong"];
            415: components["responses"]["NotJson"];
            421: components["responses"]["OtherHost"];
            422: components["responses"]["CantBeDone"];
            500: components["responses"]["Fault"];
            503: components["responses"]["Unavailable"];
        };
    };
    connect_host: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HostStatus"];
                };
            };
            400: components["responses"]["Wrong"];
            401: components["responses"]["NotLoggedIn"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            421: components["responses"]["OtherHost"];
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            500: components["responses"]["Fault"];
            503: components["responses"]["Unavailable"];
        };
    };
    disconnect_host: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HostStatus"];
                };
            };
            400: components["responses"]["Wrong"];
            401: components["responses"]["NotLoggedIn"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            421: components["responses"]["OtherHost"];
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            500: components["responses"]["Fault"];
            503: components["responses"]["Unavailable"];
        };
    };
    remove_host: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Wrong"];
            401: components["responses"]["NotLoggedIn"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            421: components["responses"]["OtherHost"];
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            500: components["responses"]["Fault"];
            503: components["responses"]["Unavailable"];
        };
    };
    test_host: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HostStatus"];
                };
            };
            400: components["responses"]["Wrong"];
            401: components["responses"]["NotLoggedIn"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            421: components["responses"]["OtherHost"];
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            500: components["responses"]["Fault"];
            503: components["responses"]["Unavailable"];
        };
    };
    fetch_messages: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InboxMessage"][];
                };
            };
            400: components["responses"]["Wrong"];
            401: components["responses"]["NotLoggedIn"];
            403: components["responses"]["Forbidden"];
            421: components["responses"]["OtherHost"];
            500: components["responses"]["Fault"];
            503: components["responses"]["Unavailable"];
        };
    };
    messages: {
        parameters: {
            query?: {
                /** @description Only of this session: its id, its nickname or the beginning of its id. */
                session?: string;
                /** @description Also those whose fate is known. */
                all?: boolean;
                /** @description Default 100, at most 1000. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"][];
                };
            };
            400: components["responses"]["Wrong"];
            401: components["responses"]["NotLoggedIn"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            421: components["responses"]["OtherHost"];
            500: components["responses"]["Fault"];
            503: components["responses"]["Unavailable"];
        };
    };
    post_messages: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MessageRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"][];
                };
            };
            400: components["responses"]["Wrong"];
            401: components["responses"]["NotLoggedIn"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            413: components["responses"]["TooLong"];
            415: components["responses"]["NotJson"];
            421: components["responses"]["OtherHost"];
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            500: components["responses"]["Fault"];
            503: components["responses"]["Unavailable"];
        };
    };
    cancel_message: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            400: components["responses"]["Wrong"];
            401: components["responses"]["NotLoggedIn"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            421: components["responses"]["OtherHost"];
            500: components["responses"]["Fault"];
            503: components["responses"]["Unavailable"];
        };
    };
    promote_message: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            400: components["responses"]["Wrong"];
            401: components["responses"]["NotLoggedIn"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            421: components["responses"]["OtherHost"];
            500: components["responses"]["Fault"];
            503: components["responses"]["Unavailable"];
        };
    };
    retry_message: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            400: components["responses"]["Wrong"];
            401: components["responses"]["NotLoggedIn"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            421: components["responses"]["OtherHost"];
            500: components["responses"]["Fault"];
            503: components["responses"]["Unavailable"];
        };
    };
    test_notifier: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Wrong"];
            401: components["responses"]["NotLoggedIn"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            421: components["responses"]["OtherHost"];
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            500: components["responses"]["Fault"];
            503: components["responses"]["Unavailable"];
        };
    };
    presets: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Preset"][];
                };
            };
            400: components["responses"]["Wrong"];
            401: components["responses"]["NotLoggedIn"];
            403: components["responses"]["Forbidden"];
            421: components["responses"]["OtherHost"];
            500: components["responses"]["Fault"];
            503: components["responses"]["Unavailable"];
        };
    };
    recent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecentWorkspace"][];
                };
            };
            400: components["responses"]["Wrong"];
            401: components["responses"]["NotLoggedIn"];
            403: components["responses"]["Forbidden"];
            421: components["responses"]["OtherHost"];
            500: components["responses"]["Fault"];
            503: components["responses"]["Unavailable"];
        };
    };
    list: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Recording"][];
                };
            };
            400: components["responses"]["Wrong"];
            401: components["responses"]["NotLoggedIn"];
            403: components["responses"]["Forbidden"];
            421: components["responses"]["OtherHost"];
            500: components["responses"]["Fault"];
            503: components["responses"]["Unavailable"];
        };
    };
    sessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"][];
                };
            };
            400: components["responses"]["Wrong"];
            401: components["responses"]["NotLoggedIn"];
            403: components["responses"]["Forbidden"];
            421: components["responses"]["OtherHost"];
            500: components["responses"]["Fault"];
            503: components["responses"]["Unavailable"];
        };
    };
    session: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            400: components["responses"]["Wrong"];
            401: components["responses"]["NotLoggedIn"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            421: components["responses"]["OtherHost"];
            500: components["responses"]["Fault"];
            503: components["responses"]["Unavailable"];
        };
    };
    acknowledge: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AckRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Wrong"];
            401: components["responses"]["NotLoggedIn"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            413: components["responses"]["TooLong"];
            415: components["responses"]["NotJson"];
            421: components["responses"]["OtherHost"];
            422: components["responses"]["CantBeDone"];
            500: components["responses"]["Fault"];
            503: components["responses"]["Unavailable"];
        };
    };
    again: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SpawnRequest"];
                };
            };
            400: components["responses"]["Wrong"];
            401: components["responses"]["NotLoggedIn"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            421: components["responses"]["OtherHost"];
            500: components["responses"]["Fault"];
            503: components["responses"]["Unavailable"];
        };
    };
    answer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AnswerRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnswerReply"];
                };
            };
            400: components["responses"]["Wrong"];
            401: components["responses"]["NotLoggedIn"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            413: components["responses"]["TooLong"];
            415: components["responses"]["NotJson"];
            421: components["responses"]["OtherHost"];
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            500: components["responses"]["Fault"];
            503: components["responses"]["Unavailable"];
        };
    };
    capture: {
        parameters: {
            query?: {
                /** @description Lines of history above the visible screen. Default 0. */
                history?: number;
                /** @description Keep colours and attributes as escape sequences. */
                ansi?: boolean;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Capture"];
                };
            };
            400: components["responses"]["Wrong"];
            401: components["responses"]["NotLoggedIn"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            421: components["responses"]["OtherHost"];
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            500: components["responses"]["Fault"];
            503: components["responses"]["Unavailable"];
        };
    };
    details: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionDetails"];
                };
            };
            400: components["responses"]["Wrong"];
            401: components["responses"]["NotLoggedIn"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            421: components["responses"]["OtherHost"];
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            500: components["responses"]["Fault"];
            503: components["responses"]["Unavailable"];
        };
    };
    dispose: {
        parameters: {
            query?: {
                /** @description Also removes the workspace's directory, if schmux made it and no other session is in it. */
                remove_workspace?: boolean;
                /** @description Removes it although work would be lost. Without it that is refused (409 `work_would_be_lost`). */
                force?: boolean;
                /** @description Forgets the session also if its tmux server can't be reached. Its program may go on there. */
                forget?: boolean;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Wrong"];
            401: components["responses"]["NotLoggedIn"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            421: components["responses"]["OtherHost"];
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            500: components["responses"]["Fault"];
            503: components["responses"]["Unavailable"];
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    keys: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["KeysRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Wrong"];
            401: components["responses"]["NotLoggedIn"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            413: components["responses"]["TooLong"];
            415: components["responses"]["NotJson"];
            421: components["responses"]["OtherHost"];
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            500: components["responses"]["Fault"];
            503: components["responses"]["Unavailable"];
        };
    };
    overview: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Replay"];
                };
            };
            400: components["responses"]["Wrong"];
            401: components["responses"]["NotLoggedIn"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            421: components["responses"]["OtherHost"];
            500: components["responses"]["Fault"];
            503: components["responses"]["Unavailable"];
        };
    };
    cast: {
        parameters: {
            query?: {
                from?: number;
                to?: number;
                /** @description 2 or 3. Default 2, which every player reads. */
                version?: number;
                /** @description Pauses longer than this many milliseconds are shortened to it. */
                idle?: number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-asciicast": string;
                };
            };
            400: components["responses"]["Wrong"];
            401: components["responses"]["NotLoggedIn"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            421: components["responses"]["OtherHost"];
            500: components["responses"]["Fault"];
            503: components["responses"]["Unavailable"];
        };
    };
    frames: {
        parameters: {
            query?: {
                /**
                 * @description The moment to begin at. Frames start with the keyframe at or before it,
                 *     so play those up to `from` at once. Default: the beginning.
                 */
                from?: number;
                /** @description Only those before this moment. */
                to?: number;
                /** @description Goes on where an answer ended (its `next`); `from` is not looked at then. */
                after?: string;
                /** @description About how many bytes of output in one answer. Default 1 MB, at most 8 MB. */
                limit?: number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReplayFrames"];
                };
            };
            400: components["responses"]["Wrong"];
            401: components["responses"]["NotLoggedIn"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            421: components["responses"]["OtherHost"];
            500: components["responses"]["Fault"];
            503: components["responses"]["Unavailable"];
        };
    };
    ring: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RingRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RingReply"];
                };
            };
            400: components["responses"]["Wrong"];
            401: components["responses"]["NotLoggedIn"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            413: components["responses"]["TooLong"];
            415: components["responses"]["NotJson"];
            421: components["responses"]["OtherHost"];
            422: components["responses"]["CantBeDone"];
            500: components["responses"]["Fault"];
            503: components["responses"]["Unavailable"];
        };
    };
    signal: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignalRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Wrong"];
            401: components["responses"]["NotLoggedIn"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            413: components["responses"]["TooLong"];
            415: components["responses"]["NotJson"];
            421: components["responses"]["OtherHost"];
            422: components["responses"]["CantBeDone"];
            500: components["responses"]["Fault"];
            503: components["responses"]["Unavailable"];
        };
    };
    why: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Why"];
                };
            };
            400: components["responses"]["Wrong"];
            401: components["responses"]["NotLoggedIn"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            421: components["responses"]["OtherHost"];
            500: components["responses"]["Fault"];
            503: components["responses"]["Unavailable"];
        };
    };
    settings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Settings"];
                };
            };
            400: components["responses"]["Wrong"];
            401: components["responses"]["NotLoggedIn"];
            403: components["responses"]["Forbidden"];
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            421: components["responses"]["OtherHost"];
            500: components["responses"]["Fault"];
            503: components["responses"]["Unavailable"];
        };
    };
    change_settings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SettingsChange"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Settings"];
                };
            };
            400: components["responses"]["Wrong"];
            401: components["responses"]["NotLoggedIn"];
            403: components["responses"]["Forbidden"];
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            413: components["responses"]["TooLong"];
            415: components["responses"]["NotJson"];
            421: components["responses"]["OtherHost"];
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            500: components["responses"]["Fault"];
            503: components["responses"]["Unavailable"];
        };
    };
    spawn_sessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SpawnRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"][];
                };
            };
            400: components["responses"]["Wrong"];
            401: components["responses"]["NotLoggedIn"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            413: components["responses"]["TooLong"];
            415: components["responses"]["NotJson"];
            421: components["responses"]["OtherHost"];
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            500: components["responses"]["Fault"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_ssh_names: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": string[];
                };
            };
            400: components["responses"]["Wrong"];
            401: components["responses"]["NotLoggedIn"];
            403: components["responses"]["Forbidden"];
            421: components["responses"]["OtherHost"];
            500: components["responses"]["Fault"];
            503: components["responses"]["Unavailable"];
        };
    };
    status: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DaemonStatus"];
                };
            };
            400: components["responses"]["Wrong"];
            401: components["responses"]["NotLoggedIn"];
            403: components["responses"]["Forbidden"];
            421: components["responses"]["OtherHost"];
            500: components["responses"]["Fault"];
            503: components["responses"]["Unavailable"];
        };
    };
    targets: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Target"][];
                };
            };
            400: components["responses"]["Wrong"];
            401: components["responses"]["NotLoggedIn"];
            403: components["responses"]["Forbidden"];
            421: components["responses"]["OtherHost"];
            500: components["responses"]["Fault"];
            503: components["responses"]["Unavailable"];
        };
    };
    workspaces: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workspace"][];
                };
            };
            400: components["responses"]["Wrong"];
            401: components["responses"]["NotLoggedIn"];
            403: components["responses"]["Forbidden"];
            421: components["responses"]["OtherHost"];
            500: components["responses"]["Fault"];
            503: components["responses"]["Unavailable"];
        };
    };
    diff: {
        parameters: {
            query?: {
                /** @description Only this file, as named in `changed`. Default: all of them. */
                path?: string;
                /** @description Lines around a change. Default 3, at most 1000. */
                context?: number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GitDiff"];
                };
            };
            400: components["responses"]["Wrong"];
            401: components["responses"]["NotLoggedIn"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            421: components["responses"]["OtherHost"];
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            500: components["responses"]["Fault"];
            503: components["responses"]["Unavailable"];
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    git: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GitState"];
                };
            };
            400: components["responses"]["Wrong"];
            401: components["responses"]["NotLoggedIn"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            421: components["responses"]["OtherHost"];
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            500: components["responses"]["Fault"];
            503: components["responses"]["Unavailable"];
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    remove_workspace: {
        parameters: {
            query?: {
                /** @description Although work would be lost */
                force?: boolean;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Wrong"];
            401: components["responses"]["NotLoggedIn"];
            403: components["responses"]["Forbidden"];
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            421: components["responses"]["OtherHost"];
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            500: components["responses"]["Fault"];
            503: components["responses"]["Unavailable"];
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
}
