import type { OperationProbes } from './operation-probes.ts';
import type { Translation } from './scene.ts';
import { wires, type Probe, type Wire } from './probe.ts';

/** One row of the page: a feature, and its losses on each wire. */
export interface Row {
  readonly client: Wire;
  readonly probe: Probe;
  readonly translations: Readonly<Record<Wire, Translation>>;
}

/** The same of an operation beside generation, by the providers of its targets. */
export interface OperationRow {
  readonly operation: OperationProbes;
  readonly probe: Probe;
  readonly translations: readonly Translation[];
}

const cell = ({ status, lane, losses }: Translation): string => {
  if (status === 400) return 'refused';
  if (status !== 200) throw new Error(`a probe was answered with ${status}`);
  if (losses.length === 0) return lane === 'native' ? 'native' : 'yes';
  return losses.map((loss) => `\`${loss.replace(';', '` ')}`).join('; ');
};

const table = (client: Wire, rows: readonly Row[]): string =>
  [
    `## Clients of ${client}`,
    '',
    `| feature | ${wires.map((wire) => `to ${wire}`).join(' | ')} |`,
    `|---|${wires.map(() => '---|').join('')}`,
    ...rows.map(
      ({ probe, translations }) =>
        `| ${probe.feature} | ${wires.map((wire) => cell(translations[wire])).join(' | ')} |`,
    ),
    '',
  ].join('\n');

const operationTable = (operation: OperationProbes, rows: readonly OperationRow[]): string => {
  const models = Object.values(operation.targets).map((model) => `to ${model}`);
  return [
    `## Clients of ${operation.wire}`,
    '',
    `| feature | ${models.join(' | ')} |`,
    `|---|${models.map(() => '---|').join('')}`,
    ...rows.map(({ probe, translations }) => `| ${probe.feature} | ${translations.map(cell).join(' | ')} |`),
    '',
  ].join('\n');
};

/** Renders docs/reference/losses.md from the results of a test run. */
export const writePage = (
  rows: readonly Row[],
  models: Readonly<Record<Wire, string>>,
  operations: readonly OperationProbes[],
  operationRows: readonly OperationRow[],
): string =>
  `# What each pair of wires loses

\`npm run docs:losses\` makes this page from requests through a running gateway, one feature at a time. A test
fails when the page is outdated.

- **native**: the target speaks the client's wire, and the bytes pass unchanged.
- **yes**: translated, and nothing is lost.
- \`field\` **dropped**: the target does not support the field, or its wire has no member for it. **approximated**: sent
  in another form. **injected**: added, because the target requires it or would respond differently without it.
- **refused**: a 400 that names the member and what to do. Nothing is sent.

A field is the path of a member in the client's body, as the client wrote it, and the same in plain and streamed
responses. Where the client has no member for what is lost, the path ends at the part that it is lost from.

The losses of a request are in the header \`x-koine-losses\` of its response and in the access log. With \`losses: warn\`
on a route or a key, they are also logged as a warning. With \`losses: reject\`, a request is refused if anything would be
dropped or approximated.

The targets: ${wires.map((wire) => `${models[wire]} over ${wire}`).join(', ')}.
Other models support less or more, according to their capabilities.

${wires
  .map((wire) =>
    table(
      wire,
      rows.filter(({ client }) => client === wire),
    ),
  )
  .join('\n')}
${operations
  .map((operation) =>
    operationTable(
      operation,
      operationRows.filter((row) => row.operation === operation),
    ),
  )
  .join('\n')}`;
