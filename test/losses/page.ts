import type { Translation } from './scene.ts';
import { wires, type Probe, type Wire } from './probe.ts';

/** One row of the page: a feature, and its losses on each wire. */
export interface Row {
  readonly client: Wire;
  readonly probe: Probe;
  readonly translations: Readonly<Record<Wire, Translation>>;
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

/** Renders docs/losses.md from the results of a test run. */
export const writePage = (rows: readonly Row[], models: Readonly<Record<Wire, string>>): string =>
  `# What each pair of wires loses

Made by \`npm run docs:losses\` from requests through a running gateway, one feature at a time; a test fails when this page is stale.

- **native**: the target speaks the client's wire, and the bytes pass as they are.
- **yes**: translated, and nothing is lost.
- \`field\` **dropped**: the target has no such thing, or the wire no word for it. **approximated**: carried in another form. **injected**: added,
  because the target demands it or answers otherwise.
- **refused**: a 400 that names the member and says what to do, before anything is sent.

What a request loses stands in the header \`x-koine-losses\` of its answer and in the access log. \`losses: warn\` on a route or a key logs a warning
as well; \`losses: reject\` refuses what would be dropped or approximated.

The targets: ${wires.map((wire) => `${models[wire]} over ${wire}`).join(', ')}. Other models can do less or more: their capabilities decide.

${wires
  .map((wire) =>
    table(
      wire,
      rows.filter(({ client }) => client === wire),
    ),
  )
  .join('\n')}`;
