// The one log of `npm start` and its processes: for people on a terminal, with the name of the process before every line;
// elsewhere one JSON line an event, whose `type` is that name.
import { prettyFactory } from 'pino-pretty';

/** A line that the process `name` wrote, or a sentence about it, as the log has it; line end included. */
export type FormatLine = (name: string, line: string) => string;

export function lineFormat(isTerminal: boolean): FormatLine {
  return isTerminal ? prettyFormat() : jsonLine;
}

function prettyFormat(): FormatLine {
  const pretty = prettyFactory({
    colorize: true,
    translateTime: 'SYS:HH:MM:ss.l',
    ignore: 'pid,hostname,type',
    singleLine: true,
  });
  return (name, line) => {
    const text = isJson(line) ? String(pretty(line)).trimEnd() : line;
    return text
      .split('\n')
      .map(part => `${name.padEnd(9)} | ${part}\n`)
      .join('');
  };
}

/** Events come as JSON that names its process; what a library or Node itself wrote becomes a message. */
function jsonLine(name: string, line: string): string {
  const event = { level: 30, time: new Date().toISOString(), type: name, msg: line };
  return `${isJson(line) ? line : JSON.stringify(event)}\n`;
}

function isJson(line: string): boolean {
  return line.startsWith('{"') && line.endsWith('}');
}
