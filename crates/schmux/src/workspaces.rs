//! Workspaces: the directories where agents work.
