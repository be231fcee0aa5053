// Generated from openapi.json by `npm run types`. Do not edit.

export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Adoptable: {
            socket: string;
            tmux_session: string;
            pane: string;
            target?: string | null;
            command: string;
            path: string;
        };
        AdoptRequest: {
            tmux_session: string;
            socket?: string | null;
            target?: string | null;
            nickname?: string | null;
        };
        ApiError: {
            code: string;
            message: string;
            advice?: string | null;
        };
        DaemonStatus: {
            version: string;
            /** Format: int32 */
            pid: number;
            home: string;
            url: string;
            /** Format: int32 */
            port: number;
            tmux_socket: string;
            tmux_version: string;
            /** Format: date-time */
            started_at: string;
            /** Format: int32 */
            sessions: number;
        };
        DashboardMessage: {
            workspaces: components["schemas"]["Workspace"][];
            /** @enum {string} */
            type: "sessions";
        };
        /** @enum {string} */
        KeyframeReason: "attached" | "behind" | "reseeded" | "requested";
        Session: {
            id: string;
            workspace_id: string;
            target: string;
            nickname?: string | null;
            host: string;
            status: components["schemas"]["Status"];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            last_output_at?: string | null;
            reason?: string | null;
            /** Format: int32 */
            exit_code?: number | null;
            title?: string | null;
            command: string[];
            adopted: boolean;
            /** Format: int32 */
            cols: number;
            /** Format: int32 */
            rows: number;
            tmux_session: string;
            attach_cmd: string;
            status_file: string;
            events_file: string;
        };
        SpawnRequest: {
            target: string;
            workspace?: string | null;
            worktree?: string | null;
            clone?: string | null;
            nickname?: string | null;
            prompt?: string | null;
            /** Format: int32 */
            count?: number | null;
            args?: string[];
            /** Format: int32 */
            cols?: number | null;
            /** Format: int32 */
            rows?: number | null;
        };
        /** @enum {string} */
        Status: "starting" | "unknown" | "exited" | "unreachable";
        Target: {
            name: string;
            kind: components["schemas"]["TargetKind"];
            description: string;
            base?: string | null;
            command: string[];
            available: boolean;
            path?: string | null;
            install?: string | null;
        };
        /** @enum {string} */
        TargetKind: "demo" | "agent" | "model" | "command";
        TerminalMessage: {
            /** Format: int32 */
            cols: number;
            /** Format: int32 */
            rows: number;
            /** Format: int32 */
            history?: number | null;
            reason: components["schemas"]["KeyframeReason"];
            /** @enum {string} */
            type: "keyframe";
        } | {
            /** Format: int32 */
            cols: number;
            /** Format: int32 */
            rows: number;
            owner: boolean;
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
        TerminalRequest: {
            /** Format: int64 */
            bytes: number;
            /** @enum {string} */
            type: "ack";
        } | {
            /** Format: int32 */
            cols: number;
            /** Format: int32 */
            rows: number;
            claim?: boolean;
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
        Workspace: {
            id: string;
            path: string;
            kind: components["schemas"]["WorkspaceKind"];
            host: string;
            branch?: string | null;
            /** Format: date-time */
            created_at: string;
            sessions: components["schemas"]["Session"][];
        };
        /** @enum {string} */
        WorkspaceKind: "directory" | "worktree" | "clone";
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
