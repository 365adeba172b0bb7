// The one log of `npm start` and its processes, with the name of the process before every line: on a terminal for people,
// elsewhere one line of JSON an event.
import { prettyFactory } from 'pino-pretty';

/** A line that the process `name` wrote, or a sentence about it, as the log has it. */
export type FormatLine = (name: string, line: string) => string;

export function lineFormat(isTerminal: boolean): FormatLine {
  const textOf = isTerminal ? prettyText() : jsonText;
  return (name, line) =>
    textOf(name, line)
      .split('\n')
      .map(part => `${name.padEnd(9)} | ${part}\n`)
      .join('');
}

function prettyText(): FormatLine {
  const pretty = prettyFactory({
    colorize: true,
    translateTime: 'SYS:HH:MM:ss.l',
    ignore: 'pid,hostname,type',
    singleLine: true,
  });
  return (_name, line) => (isJson(line) ? String(pretty(line)).trimEnd() : line);
}

/** Events come as JSON; what a library or Node itself wrote becomes a message. */
function jsonText(type: string, line: string): string {
  return isJson(line)
    ? line
    : JSON.stringify({ level: 30, time: new Date().toISOString(), type, msg: line });
}

function isJson(line: string): boolean {
  return line.startsWith('{"') && line.endsWith('}');
}
