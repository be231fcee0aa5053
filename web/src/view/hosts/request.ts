// A host out of the form. Pure.
import type { HostRequest } from "../../api/wire";
import { words } from "../shellWords";

/** A host as the form says it: without a command it is what ssh calls so. */
export function request(name: string, connect: string): HostRequest {
  const typed = name.trim();
  const command = words(connect);
  return command.length > 0 ? { name: typed, connect: command } : { name: typed.replace(/[^\w-]/g, "-"), connect: ["ssh", typed] };
}
