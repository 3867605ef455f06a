import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readDocument, type Document } from './documents.ts';
import { Comply, formats, type Verdict } from './judges.ts';
import { kinds, startKind, type Kind } from './kinds.ts';
import { judgeMatrix } from './matrix.ts';
import { Client } from './open-responses/client.ts';
import { templates } from './open-responses/templates.ts';
import { MARKS, writeTables, type Row } from './page.ts';
import { probeAll } from './probe.ts';

const page = join(import.meta.dirname, '../../docs/reference/conformance.md');

const judgeResponses = async (url: string, document: Document): Promise<Verdict> => {
  const client = new Client(url, document);
  const wrong: string[] = [];
  const refused: string[] = [];
  for (const { id, run } of templates) {
    const found = await run(client).catch((thrown: unknown) => [String(thrown)]);
    if (found.some((complaint) => complaint.includes('"code":"unsupported_parameter"'))) refused.push(id);
    else if (found.length > 0) wrong.push(`${id}: ${found.slice(0, 3).join('; ')}`);
  }
  return {
    passed: templates.length - wrong.length - refused.length,
    total: templates.length,
    refused,
    wrong,
  };
};

const report = (kind: string, judge: string, { passed, total, refused, wrong }: Verdict): void => {
  process.stdout.write(`${kind}, ${judge}: ${passed} of ${total}\n`);
  refused.forEach((id) => process.stdout.write(`  refused by name: ${id}\n`));
  wrong.forEach((what) => process.stdout.write(`  wrong: ${what}\n`));
};

const judgeKinds = async (comply: Comply, document: Document): Promise<readonly Row[]> => {
  const rows: Row[] = [];
  for (const kind of kinds) {
    const gateway = await startKind(kind);
    const verdicts = new Map([['Open Responses', await judgeResponses(gateway.url, document)]]);
    for (const [format, { native }] of Object.entries(formats))
      if (native !== kind.name) verdicts.set(format, await comply.judge(format, gateway.url));
    await gateway.stop();
    for (const [judge, verdict] of verdicts) report(kind.name, judge, verdict);
    rows.push({ kind: kind.name, verdicts });
  }
  return rows;
};

const comply = new Comply();
const names = ['openresponses', 'openai_chat', 'anthropic', 'google_interactions'] as const;
const [responses, chat, messages, interactions] = (await comply.documents(...names)).map(readDocument) as [
  Document,
  Document,
  Document,
  Document,
];
const rows = await judgeKinds(comply, responses);
const { judged, wrong } = await judgeMatrix({ chat, messages, responses, interactions });
process.stdout.write(`the matrix: ${judged} bodies and events, ${wrong.length} complaints\n`);
wrong.forEach((what) => process.stdout.write(`  wrong: ${what}\n`));

const [simulator, openai] = kinds as [Kind, Kind];
const probed = await probeAll(simulator, openai);
process.stdout.write(`llmprobe: ${probed.scores.join(', ')}\n`);
probed.wrong.forEach((what) => process.stdout.write(`  wrong: ${what}\n`));
const table = writeTables(rows, judged, wrong.length, probed);
const text = readFileSync(page, 'utf8');
const [before = '', , after = ''] = text.split(MARKS);
if (process.argv.includes('--write')) writeFileSync(page, `${before}${MARKS}\n${table}${MARKS}${after}`);
else if (!text.includes(table)) {
  process.stdout.write('docs/reference/conformance.md has another table: run `npm run conformance -- --write`\n');
  process.exitCode = 1;
}
if (
  wrong.length + probed.wrong.length > 0 ||
  rows.some(({ verdicts }) => [...verdicts.values()].some((verdict) => verdict.wrong.length > 0))
)
  process.exitCode = 1;
