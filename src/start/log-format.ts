// The log of `npm start`: the lines of all processes, each after the name of its process. Readable on
// a terminal, else one JSON line per event.
import { prettyFactory } from 'pino-pretty';

/** Formats a line that the process `name` wrote, or a message about that process. */
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

/** Events are JSON already. Text from a library or from Node becomes a message. */
function jsonText(type: string, line: string): string {
  return isJson(line)
    ? line
    : JSON.stringify({ level: 30, time: new Date().toISOString(), type, msg: line });
}

function isJson(line: string): boolean {
  return line.startsWith('{"') && line.endsWith('}');
}
