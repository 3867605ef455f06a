import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { installPackages } from '../clients/cache.ts';
import { run } from '../clients/run.ts';
import { KEY } from '../support/gateway.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';
import { MODEL, startKind, type Kind } from './kinds.ts';

interface Report {
  readonly coverage: {
    readonly byTier: readonly { readonly tier: string; readonly supported: number; readonly total: number }[];
    readonly entries: readonly { readonly id: string; readonly tier: string; readonly supported: boolean }[];
  };
  readonly conformance: {
    readonly passed: number;
    readonly total: number;
    readonly results: readonly {
      readonly id: string;
      readonly outcome: string;
      readonly failures: readonly object[];
    }[];
  };
}

/** What llmprobe found. */
export interface Probed {
  /** The parts of the API that it looks for, by tier, and its mandatory checks. */
  readonly scores: readonly string[];
  /** What it misses, by name, with the reason. */
  readonly missing: readonly (readonly [item: string, reason: string])[];
  /** What it misses without a known reason, and reasons that are no longer true. */
  readonly wrong: readonly string[];
}

/** What llmprobe misses in the gateway or in the simulator, and why. */
const reasons: Readonly<Record<string, string>> = {
  'mcp-tools': 'llmprobe does not try it',
  'prompt-caching': 'llmprobe does not try it without `--full`',
  'rate-limiting': 'the key of the test has no limits; with them, responses have `x-ratelimit-*`',
  'background': 'the simulator has no background responses',
  'responses-streaming': 'it wants `data: [DONE]`, which streams of the responses wire do not have',
};

/** Checks that ask a model to recall an earlier turn. The simulator does not, so they count with the chat target. */
const recallChecks = ['responses-previous-response-id'];

/** llmprobe of npm, in a folder outside of the project. It keeps nothing, and measures no speed. */
async function probe(url: string): Promise<Report> {
  const program = join(installPackages('llmprobe'), 'node_modules/llmprobe/bin/dist/llmprobe.mjs');
  const folder = createTemporaryFolder();
  const file = join(folder.path, 'report.json');
  const words = [program, `${url}/v1`, '-k', KEY, '-m', MODEL, '--no-bench', '--no-save', '--save', file];
  try {
    // It ends with 1 if a check fails.
    await run(process.execPath, words, folder.path, { PATH: process.env['PATH'], HOME: folder.path });
    return JSON.parse(readFileSync(file, 'utf8')) as Report;
  } finally {
    folder.remove();
  }
}

const passes = ({ conformance }: Report, id: string): boolean =>
  conformance.results.some((result) => result.id === id && result.outcome === 'pass');

const readReports = ({ coverage, conformance }: Report, chat: Report): Probed => {
  const recalled = new Set(recallChecks.filter((id) => passes(chat, id)));
  const failed = conformance.results.filter(({ id, outcome }) => outcome === 'fail' && !recalled.has(id));
  const found = [
    ...coverage.entries.filter(({ supported }) => !supported).map(({ id }) => id),
    ...failed.map(({ id }) => id),
  ];
  return {
    scores: [
      ...coverage.byTier.map(({ tier, supported, total }) => `${tier} ${supported} of ${total}`),
      `mandatory checks ${conformance.total - failed.length} of ${conformance.total}`,
    ],
    missing: found.flatMap((id) => (reasons[id] === undefined ? [] : [[id, reasons[id]] as const])),
    wrong: [
      ...found
        .filter((id) => reasons[id] === undefined)
        .map((id) => `${id}: ${JSON.stringify(conformance.results.find((result) => result.id === id)?.failures)}`),
      ...Object.keys(reasons)
        .filter((id) => !found.includes(id))
        .map((id) => `${id} passes: its reason is no longer true`),
    ],
  };
};

/** Probes the simulator, and for what only a model can recall the chat target. */
export async function probeAll(simulator: Kind, chat: Kind): Promise<Probed> {
  const reports: Report[] = [];
  for (const kind of [simulator, chat]) {
    const gateway = await startKind(kind);
    reports.push(await probe(gateway.url).finally(() => gateway.stop()));
  }
  const [first, second] = reports as [Report, Report];
  return readReports(first, second);
}
