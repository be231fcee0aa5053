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
        /** Takes over a tmux session that the user started by hand. */
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
        /** tmux sessions outside schmux in which an agent runs. */
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
    "/api/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Messages to agents with what became of them, oldest first. */
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
    "/api/sessions/{id}/dispose": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Ends a session's program and forgets the session. An adopted one is only let go. */
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
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description The human has seen the calls of a session up to this one. */
        AckRequest: {
            /** Format: int64 */
            seq: number;
        };
        AdoptRequest: {
            nickname?: string | null;
            /** @description A socket's path, or a name as for `tmux -L`. Default: tmux's own default. */
            socket?: string | null;
            target?: string | null;
            /** @description The tmux session to take over. */
            tmux_session: string;
        };
        /** @description A tmux session outside schmux in which an agent runs. */
        Adoptable: {
            command: string;
            pane: string;
            path: string;
            /** @description The path of the tmux server's socket. */
            socket: string;
            /** @description The known agent that runs in it, if one does. */
            target?: string | null;
            tmux_session: string;
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
            /** Format: int32 */
            rows: number;
            text: string;
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
        /** @description What `/ws/dashboard` sends: everything, whenever something changed. */
        DashboardMessage: {
            /** @enum {string} */
            type: "sessions";
            workspaces: components["schemas"]["Workspace"][];
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
        /** @description A call for the human, as it is open now. */
        Nudge: {
            confidence: components["schemas"]["Confidence"];
            /** @description What it follows from, for people: `status file`, `hook`, … */
            evidence: string[];
            source: components["schemas"]["NudgeSource"];
            /** @description `Completed`, `Needs Authorization`, `Needs User Testing` or `Error`. */
            state: string;
            /** @description What the agent said. Untrusted text. */
            summary: string;
        };
        /** @enum {string} */
        NudgeSource: "agent" | "llm";
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
            workspace_id: string;
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
            nickname?: string | null;
            prompt?: string | null;
            /** Format: int32 */
            rows?: number | null;
            target: string;
            /** @description A directory, or the id of a known workspace. Default: the home directory of the daemon's user. */
            workspace?: string | null;
            /** @description A branch: makes (or reuses) a git worktree for it, off the repository in `workspace`. */
            worktree?: string | null;
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
    responses: never;
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
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    adoptable: {
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
                    "application/json": components["schemas"]["Adoptable"][];
                };
            };
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
        };
    };
    events: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Those after this number, oldest first. Without it: the newest ones. */
                after: number | null;
                /** @description Only of this session: its id, its nickname or the beginning of its id. */
                session: string | null;
                /** @description Default 100, at most 1000. */
                limit: number | null;
                /** @description With `after`: waits up to this many milliseconds (at most 25,000) for a line. */
                wait_ms: number | null;
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
                    "application/json": components["schemas"]["HistoryEntry"][];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
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
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    messages: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Only of this session: its id, its nickname or the beginning of its id. */
                session: string | null;
                /** @description Also those whose fate is known. */
                all: boolean;
                /** @description Default 100, at most 1000. */
                limit: number | null;
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
                    "application/json": components["schemas"]["Message"][];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
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
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
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
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
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
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
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
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    capture: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                /** @description Lines of history above the visible screen. Default 0. */
                history: number;
                /** @description Keep colours and attributes as escape sequences. */
                ansi: boolean;
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
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    dispose: {
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
                content?: never;
            };
            404: {
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
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
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
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
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
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
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
        };
    };
}
