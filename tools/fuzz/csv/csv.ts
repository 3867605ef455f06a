import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { KEY } from '../../../test/support/gateway.ts';
import { CommandRunner, readCommandFlaw, type CommandResult } from '../commands/commands.ts';
import type { FuzzCase, ReportFinding, Surface, Target } from '../play.ts';
import { judgeReport } from './reports.ts';
import { makeTable, type KeyTable } from './tables.ts';

const settings = {
  store: { database: 'sqlite:./koine.db' },
  providers: { simulator: { use: 'simulator' } },
  organizations: { acme: { projects: { web: { keys: { alice: { key: KEY } } } } } },
  plugins: [{ use: 'auth' }],
};
/** A refusal names the row, the line or the column, or the keys that exist. */
const PLACE = /row \d+|[Ll]ine \d+|first row|these keys exist/;
/** A refused cell of a row: the message names its column. */
const COLUMN =
  /key\b|name|organization|project|models|limits|losses|[a-z](?:State|Headers|Tools)|tags|owner|expires|metadata|cells/;

type ListedKey = Readonly<Record<string, unknown>>;

/** Whether each key of the table is listed with its settings. */
const areListed = ({ keys = [] }: KeyTable, list: readonly ListedKey[]): boolean =>
  keys.every(({ listed }) => {
    const found = list.find(({ name }) => name === listed['name']) ?? {};
    return Object.entries(listed).every(([member, value]) => isDeepStrictEqual(found[member], value));
  });

class CsvTarget implements Target {
  readonly #folder = mkdtempSync(join(tmpdir(), 'koine-fuzz-'));
  readonly process = new CommandRunner();
  readonly #report: ReportFinding;
  #before = '[]';

  constructor(report: ReportFinding) {
    this.#report = report;
    writeFileSync(join(this.#folder, 'gateway.yaml'), JSON.stringify(settings));
  }

  async stop(): Promise<void> {
    await this.process.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async open(): Promise<this> {
    this.#before = (await this.#run('keys', 'list', '--format', 'json')).out;
    return this;
  }

  async play({ number, random, isPlanted }: FuzzCase): Promise<string> {
    const report = (what: string): void => this.#report(what, number);
    for (let times = 20; times > 0; times -= 1) {
      const flaw = judgeReport(random, isPlanted ? () => 'model,user\r\n=1+1,x\r\n' : undefined);
      if (flaw !== undefined) report(flaw);
    }
    const table = makeTable(`case-${number}`, random);
    const [file, out] = [join(this.#folder, 'keys.csv'), join(this.#folder, `${number}.csv`)];
    writeFileSync(file, table.bytes);
    const result = await this.#run(
      'keys',
      'import',
      file,
      '--out',
      out,
      '--allow-unknown-project',
      ...(random.chance(0.2) ? ['--skip-existing'] : []),
    );
    const after = (await this.#run('keys', 'list', '--format', 'json')).out;
    const observed = isPlanted ? plantFault(result, number) : result;
    const secrets = existsSync(out) ? readFileSync(out, 'utf8') : undefined;
    for (const flaw of this.#judge(table, observed, after, secrets)) report(flaw);
    this.#before = after;
    return `exit ${result.code}`;
  }

  #run(...args: readonly string[]): Promise<CommandResult> {
    return this.process.run({ args, cwd: this.#folder });
  }

  #judge(table: KeyTable, result: CommandResult, after: string, secrets: string | undefined): readonly string[] {
    const { code, err } = result;
    const flaw = readCommandFlaw(result);
    const flaws = flaw === undefined ? [] : [flaw];
    if (/koine_\w{8}_/.test(err)) flaws.push('a secret in a message');
    if (code !== 0) {
      if (after !== this.#before) flaws.push(`keys were created in spite of the exit code ${code}`);
      if (secrets !== undefined) flaws.push('secrets were written in spite of a refusal');
      if (!PLACE.test(err) || (/^row \d+/.test(err) && !COLUMN.test(err))) flaws.push(`no place: ${err.slice(0, 300)}`);
      if (table.keys !== undefined) flaws.push(`a valid table is refused: ${err.slice(0, 500)}`);
      return flaws;
    }
    const [known, list] = [this.#before, after].map((text) => JSON.parse(text) as readonly ListedKey[]);
    const count = (list?.length ?? 0) - (known?.length ?? 0);
    if (table.keys !== undefined && (count !== table.keys.length || !areListed(table, list ?? [])))
      flaws.push('the listed keys are not those of the table');
    const lines = (secrets ?? '').split('\n').slice(1, -1);
    if (lines.length !== count || new Set(lines.map((line) => line.split(',')[4])).size !== count)
      flaws.push(`${lines.length} secrets for ${count} keys`);
    if (lines.some((line) => line.split(',').some((cell) => /^[=+\-@\t\r"]/.test(cell))))
      flaws.push(`a formula in the secrets: ${lines.join(' ').slice(0, 300)}`);
    return flaws;
  }
}

/** A result as a command with a fault would end. */
function plantFault(result: CommandResult, number: number): CommandResult {
  const faults: readonly CommandResult[] = [
    { ...result, code: 1, err: 'row 2: key.name is not valid.' },
    { ...result, code: 2, err: 'The table is not valid.' },
    { ...result, code: null, err: 'TypeError: x' },
    { ...result, err: 'koine_12345678_secret' },
  ];
  return faults[number % faults.length] ?? result;
}

/** Random tables of keys, and usage reports as CSV. */
export const csv: Surface = {
  name: 'csv',
  lanes: 1,
  casesPerTarget: 300,
  start: (_options, report) => new CsvTarget(report).open(),
};
