// The log of `npm start`: the lines of all processes, each after the name of its process. Readable
// text on a terminal, else one JSON line per event.
import { styleText } from 'node:util';
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
  return (_name, line) => {
    if (!isJson(line)) return line;
    return line.endsWith(REQUEST_END)
      ? requestText(JSON.parse(line) as Event)
      : String(pretty(line)).trimEnd();
  };
}

/** pino writes the message last. */
const REQUEST_END = '"msg":"request"}';

/** The members of an event. Those of a request are in platform/http/request-log.ts. */
type Event = Readonly<Record<string, string | number | boolean>>;

/** Starts with the words that people look for: `GET /invoices 200 45 ms requestId=…`. */
function requestText(event: Event): string {
  const { level: _, type: _type, pid: _pid, msg: _msg, time, method, route, ...rest } = event;
  const { status, ms, code, ...ids } = rest;
  const at = new Date(String(time));
  const clock = `${at.toTimeString().slice(0, 8)}.${String(at.getMilliseconds()).padStart(3, '0')}`;
  const path = route === 'none' ? '(unknown path)' : route;
  const color = Number(status) >= 500 ? 'red' : Number(status) >= 400 ? 'yellow' : 'green';
  const named = Object.entries(ids).map(([name, value]) => `${name}=${value}`);
  return [
    `${method} ${path} ${style(color, String(status))} ${Math.round(Number(ms))} ms`,
    ...(code === undefined ? [] : [style(color, String(code))]),
    style('dim', [...named, clock].join(' ')),
  ].join(' ');
}

/** The output is known to be a terminal. */
const style = (format: Parameters<typeof styleText>[0], text: string) =>
  styleText(format, text, { validateStream: false });

/** Events are JSON already. Text from a library or from Node becomes a message. */
function jsonText(type: string, line: string): string {
  return isJson(line)
    ? line
    : JSON.stringify({ level: 30, time: new Date().toISOString(), type, msg: line });
}

function isJson(line: string): boolean {
  return line.startsWith('{"') && line.endsWith('}');
}
