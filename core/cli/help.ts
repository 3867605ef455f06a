import { DEFAULT_CONFIG, type Command } from './command.ts';
import type { CommandForm, Options } from './options/option.ts';

/** Lines that fit a terminal. */
const WIDTH = 100;
/** The longest option that has its description beside it. */
const LONGEST = 30;

/** Breaks a text into lines, each after the first with an indent. */
const wrap = (text: string, indent: number): string =>
  text
    .split(' ')
    .reduce<readonly string[]>((lines, word) => {
      const last = lines.at(-1) ?? '';
      return last !== '' && indent + last.length + 1 + word.length > WIDTH
        ? [...lines, word]
        : [...lines.slice(0, -1), last === '' ? word : `${last} ${word}`];
    }, [])
    .join(`\n${' '.repeat(indent)}`);

/** The value of an option, as `--help` shows it. */
const valueOf = ({ type, choices, value = 'TEXT' }: Options[string]): string =>
  type === 'boolean' ? '' : ` ${choices?.join('|') ?? value}`;

const describeOption = (option: Options[string]): string => {
  const more = [
    option.required === true ? 'required' : undefined,
    option.multiple === true ? 'can be repeated' : undefined,
    typeof option.default === 'string' ? `default: ${option.default}` : undefined,
  ].filter((part) => part !== undefined);
  return [option.description, ...more].join('; ');
};

const listOptions = (options: Options): string => {
  const names = Object.entries(options).map(([name, option]) => [`--${name}${valueOf(option)}`, option] as const);
  const width = Math.max(0, ...names.map(([{ length }]) => length).filter((length) => length <= LONGEST));
  return names
    .map(([name, option]) => {
      const text = wrap(describeOption(option), width + 6);
      return name.length > width
        ? `  --${name.slice(2)}\n${' '.repeat(width + 6)}${text}`
        : `  ${name.padEnd(width + 4)}${text}`;
    })
    .join('\n');
};

const usageOf = (command: string, { verb, operands, options }: CommandForm): string => {
  const required = Object.entries(options).filter(([, option]) => option.required === true);
  const hasMore = Object.keys(options).length > required.length;
  return [
    'koine',
    command,
    verb,
    operands,
    ...required.map(([name, option]) => `--${name}${valueOf(option)}`),
    hasMore ? '[options]' : undefined,
  ]
    .filter((word) => word !== undefined)
    .join(' ');
};

const describeForm = ({ name, summary }: Command, form: CommandForm): string =>
  [
    `Usage: ${usageOf(name, form)}`,
    wrap(`${[name, form.verb].filter((word) => word !== undefined).join(' ')} ${form.summary ?? summary}.`, 0),
    ...(Object.keys(form.options).length === 0 ? [] : [`Options:\n${listOptions(form.options)}`]),
    ...(form.note === undefined ? [] : [form.note]),
  ].join('\n\n');

/** `koine <command> --help`: its forms with their options, or the one form whose verb is among the words. */
export function describeCommand(command: Command, words: readonly string[]): string {
  const named = command.forms.filter(({ verb }) => verb !== undefined && verb === words[0]);
  return (named.length > 0 ? named : command.forms).map((form) => describeForm(command, form)).join('\n\n\n');
}

/** `koine --help`. */
export function describeCommands(commands: readonly Command[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  return [
    'Usage: koine <command> [options]',
    '',
    ...commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${wrap(summary, width + 4)}`),
    '',
    `Most commands take --config FILE (default ${DEFAULT_CONFIG}). "koine <command> --help" lists its options.`,
    'Exit codes: 0 success, 1 findings, 2 misuse.',
  ].join('\n');
}
