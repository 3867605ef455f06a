import { isObject } from '../../canonical/json/members.ts';

type Fields = Readonly<Record<string, unknown>>;

const colours: Readonly<Record<string, string>> = { error: '31', warn: '33', info: '36', good: '32', faint: '2' };
type Paint = (colour: string, text: string) => string;
const painted: Paint = (colour, text) => `\u001B[${colours[colour] ?? '0'}m${text}\u001B[0m`;
const plain: Paint = (_colour, text) => text;

/** Lines can contain text of clients, which must not control the terminal. */
const visible = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cf}]/gu, '?');
const write = (value: unknown): string => visible(typeof value === 'string' ? value : JSON.stringify(value));
const timeOf = ({ ts }: Fields): string => (typeof ts === 'string' ? ts.slice(11, 23) : '');

/** The main fields of an exchange, in a fixed order. The JSON form has all of them. */
const describeExchange = (fields: Fields, paint: Paint): string => {
  const {
    status,
    outcome,
    term,
    wire_in: wire,
    model,
    model_requested: requested,
    provider,
    ms_total: total,
    ms_ttft: first,
    tokens_in: input,
    tokens_out: output,
    cost_micro: cost,
    key_alias: key,
    code,
    request_id: id,
  } = fields;
  const parts = [
    paint(outcome === 'ok' ? 'good' : 'error', `${write(status)} ${write(outcome)} ${write(term)}`),
    write(wire),
    `${write(model ?? requested ?? '-')}${provider === undefined ? '' : ` at ${write(provider)}`}`,
    `${write(total)} ms${first === undefined ? '' : `, first after ${write(first)}`}`,
    input === undefined ? '' : `${write(input)} + ${write(output)} tokens`,
    typeof cost === 'number' ? `${(cost / 1e6).toFixed(6)} USD` : '',
    code === undefined ? '' : paint('error', write(code)),
    key === undefined ? '' : write(key),
    paint('faint', write(id)),
  ];
  return parts.filter((part) => part !== '').join('  ');
};

const describeError = (error: unknown, paint: Paint): string => {
  if (!isObject(error)) return '';
  const { stack, message } = error;
  const lines = String(stack ?? message ?? '')
    .split('\n')
    .map((line) => `    ${visible(line)}`);
  return `\n${paint('faint', lines.join('\n'))}`;
};

const describeOther = ({ level: _level, ts: _ts, message, error, ...rest }: Fields, paint: Paint): string => {
  const fields = Object.entries(rest).map(([name, value]) => paint('faint', `${name}=`) + write(value));
  return [write(message), ...fields].join(' ') + describeError(error, paint);
};

/** Formats one log line for a terminal. A line that is not JSON is returned unchanged. */
export function prettyLine(line: string, coloured: boolean): string {
  const paint = coloured ? painted : plain;
  let fields: unknown;
  try {
    fields = JSON.parse(line);
  } catch {
    return line;
  }
  if (!isObject(fields)) return line;
  const level = String(fields['level']);
  const worker = fields['worker'] === undefined ? '' : ` ${write(fields['worker'])}`;
  const text = fields['message'] === 'exchange' ? describeExchange(fields, paint) : describeOther(fields, paint);
  return `${paint('faint', timeOf(fields))} ${paint(level, level.padEnd(5))}${worker} ${text}\n`;
}
