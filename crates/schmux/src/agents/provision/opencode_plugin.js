// Tells schmux what opencode does. schmux writes this file for one session;
// outside of it, `schmux hook` does nothing. It only listens: no answer of
// schmux's changes what opencode does.
import { spawn } from "node:child_process"

const SCHMUX = "SCHMUX_EXE"

// Calls follow each other in the order of the events.
let last = Promise.resolve()

function call(event, payload) {
  return new Promise((done) => {
    const child = spawn(SCHMUX, ["hook", "opencode", event], { stdio: ["pipe", "ignore", "ignore"] })
    child.on("error", done)
    child.on("close", done)
    child.stdin.on("error", () => {})
    child.stdin.end(JSON.stringify(payload))
  })
}

function tell(event, payload) {
  last = last.then(() => call(event, payload))
}

export const Schmux = async () => {
  const children = new Set() // Sessions of sub-agents.
  const texts = new Map() // The last text of each session's agent.
  const prompts = new Set() // Ids of the human's messages.
  const resting = new Set() // Sessions whose turn has ended, so that it ends once.
  const refused = new Set() // Sessions that were told no, and have said nothing since.

  const send = (event, sessionID, rest) =>
    tell(event, { sessionID, child: children.has(sessionID), ...rest })

  const onEvent = {
    "session.created": ({ info }) => {
      if (info.parentID) children.add(info.id)
      send("session.created", info.id, {})
    },
    "session.status": ({ sessionID, status }) => {
      if (status?.type === "busy") resting.delete(sessionID)
    },
    "message.part.updated": ({ part }) => {
      if (part.type !== "text" || prompts.has(part.messageID)) return
      texts.set(part.sessionID, part.text)
      refused.delete(part.sessionID)
    },
    "session.idle": ({ sessionID }) => {
      if (resting.has(sessionID)) return
      resting.add(sessionID)
      send("session.idle", sessionID, { text: texts.get(sessionID) ?? "", refused: refused.delete(sessionID) })
    },
    // An idle event follows, and would say that all is well.
    "session.error": ({ sessionID, error }) => {
      resting.add(sessionID)
      send("session.error", sessionID, { error: { name: error?.name, data: { message: error?.data?.message } } })
    },
    "permission.asked": ({ sessionID, permission, patterns, metadata, tool }) =>
      send("permission.asked", sessionID, { permission, patterns, metadata, tool }),
    "permission.replied": ({ sessionID, reply }) => {
      if (reply === "reject") refused.add(sessionID)
      send("permission.replied", sessionID, { reply })
    },
    "question.asked": ({ sessionID, questions, tool }) => send("question.asked", sessionID, { questions, tool }),
    "question.replied": ({ sessionID }) => send("question.replied", sessionID, {}),
    "question.rejected": ({ sessionID }) => {
      refused.add(sessionID)
      send("question.rejected", sessionID, {})
    },
  }

  return {
    event: async ({ event }) => onEvent[event.type]?.(event.properties),
    "chat.message": async ({ sessionID }, { message, parts }) => {
      prompts.add(message.id)
      resting.delete(sessionID)
      texts.delete(sessionID)
      refused.delete(sessionID)
      const text = parts.filter((part) => part.type === "text" && !part.synthetic).map((part) => part.text)
      send("chat.message", sessionID, { text: text.join("\n") })
    },
    "tool.execute.before": async ({ tool, sessionID, callID }, { args }) =>
      send("tool.execute.before", sessionID, { tool, callID, args }),
    "tool.execute.after": async ({ tool, sessionID, callID }, output) =>
      send("tool.execute.after", sessionID, { tool, callID, failed: (output?.metadata?.exit ?? 0) !== 0 }),
  }
}
