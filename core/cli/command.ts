import { parseArgs } from 'node:util';
import { describeSuggestion } from '../config/suggest.ts';
import { isDuration, parseDuration } from '../config/units/duration.ts';
import type { BuiltIns } from '../extensions/extension.ts';
import type { CommandForm, Options } from './options/option.ts';

export { DEFAULT_CONFIG } from './options/option.ts';

/** A subcommand of `koine`. */
export interface Command {
  readonly name: string;
  readonly summary: string;
  readonly forms: readonly CommandForm[];
  /** @returns the exit code: 0 success, 1 findings, 2 misuse */
  run(args: readonly string[], builtIns: BuiltIns): Promise<number>;
}

/** The command line is wrong: exit code 2. */
export class MisuseError extends Error {
  override readonly name = 'MisuseError';
}

/** @throws MisuseError for an unknown option, or a positional argument */
export function parseOptions<const T extends Options>(args: readonly string[], options: T) {
  return parse(args, options, false).values;
}

/** Options, and operands before, between or after them. @throws MisuseError for an unknown option */
export function parseOperands<const T extends Options>(args: readonly string[], options: T) {
  return parse(args, options, true);
}

const parse = <const T extends Options>(args: readonly string[], options: T, allowPositionals: boolean) => {
  try {
    return parseArgs({ args: [...args], options, strict: true, allowPositionals });
  } catch (error) {
    throw new MisuseError(error instanceof Error ? error.message : String(error));
  }
};

/** The first word, unless it is an option, and what follows it. */
export function takeOperand(args: readonly string[]): readonly [operand: string | undefined, rest: readonly string[]] {
  const [first = '', ...rest] = args;
  return first === '' || first.startsWith('-') ? [undefined, args] : [first, rest];
}

/** @param known the providers of the configuration */
export const unknownProvider = (name: string, known: readonly string[]): MisuseError =>
  new MisuseError(
    `The configuration has no provider "${name}", only ${known.join(', ')}.${describeSuggestion(name, known)}`,
  );

/** Of a command that has one verb. @throws MisuseError for another one, or none */
export function checkVerb(command: string, only: string, verb: string | undefined): void {
  if (verb === only) return;
  throw new MisuseError(
    verb === undefined
      ? `A verb is missing: koine ${command} ${only}.`
      : `There is no "koine ${command} ${verb}", only "koine ${command} ${only}".`,
  );
}

/** A value of `--format`. @throws MisuseError for another one */
export function checkFormat(format: string): void {
  if (format !== 'text' && format !== 'json') throw new MisuseError(`--format must be text or json, not "${format}".`);
}

/** A port of the command line. @throws MisuseError */
export function parsePort(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535)
    throw new MisuseError(`--${option} must be a port (0 to 65535), not "${text}".`);
  return port;
}

/** A time limit of the command line, in milliseconds. @throws MisuseError */
export function parseTimeout(text: string): number {
  const timeout = isDuration(text) ? parseDuration(text) : 0;
  if (timeout > 0) return timeout;
  throw new MisuseError(`--timeout must be a duration such as 15s, not "${text}".`);
}

/** By `npm_lifecycle_event`: how this command was started. */
const ownCommands: ReadonlyMap<string | undefined, string> = new Map([
  ['koine', 'npm run koine --'],
  ['npx', 'npx koine-gateway'],
]);

/** The command `koine` in outputs: as it was started itself. */
export const describeOwnCommand = (): string => ownCommands.get(process.env['npm_lifecycle_event']) ?? 'koine';
