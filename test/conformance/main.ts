import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Comply, formats, type Verdict } from './judges.ts';
import { kinds, startKind } from './kinds.ts';
import { Client } from './open-responses/client.ts';
import { readSchemas, type Complain } from './open-responses/schema.ts';
import { templates } from './open-responses/templates.ts';
import { MARKS, writeTable, type Row } from './page.ts';

const page = join(import.meta.dirname, '../../docs/reference/conformance.md');

const judgeResponses = async (url: string, complain: Complain): Promise<Verdict> => {
  const client = new Client(url, complain);
  const wrong: string[] = [];
  const refused: string[] = [];
  for (const { id, run } of templates) {
    const found = await run(client).catch((thrown: unknown) => [String(thrown)]);
    if (found.some((complaint) => complaint.includes('"code":"unsupported_parameter"'))) refused.push(id);
    else if (found.length > 0) wrong.push(`${id}: ${found.slice(0, 3).join('; ')}`);
  }
  return { passed: templates.length - wrong.length - refused.length, total: templates.length, refused, wrong };
};

const judge = async (comply: Comply, complain: Complain): Promise<readonly Row[]> => {
  const rows: Row[] = [];
  for (const kind of kinds) {
    const gateway = await startKind(kind);
    const verdicts = new Map([['Open Responses', await judgeResponses(gateway.url, complain)]]);
    for (const [format, { native }] of Object.entries(formats))
      if (native !== kind.name) verdicts.set(format, await comply.judge(format, gateway.url));
    await gateway.stop();
    rows.push({ kind: kind.name, verdicts });
    for (const [name, { passed, total, refused, wrong }] of verdicts) {
      process.stdout.write(`${kind.name}, ${name}: ${passed} of ${total}\n`);
      refused.forEach((id) => process.stdout.write(`  refused by name: ${id}\n`));
      wrong.forEach((what) => process.stdout.write(`  wrong: ${what}\n`));
    }
  }
  return rows;
};

const comply = new Comply();
const rows = await judge(comply, readSchemas(await comply.document()));
const table = writeTable(rows);
const text = readFileSync(page, 'utf8');
const [before = '', , after = ''] = text.split(MARKS);
if (process.argv.includes('--write')) writeFileSync(page, `${before}${MARKS}\n${table}${MARKS}${after}`);
else if (!text.includes(table)) {
  process.stdout.write('docs/reference/conformance.md has another table: run `npm run conformance -- --write`\n');
  process.exitCode = 1;
}
if (rows.some(({ verdicts }) => [...verdicts.values()].some(({ wrong }) => wrong.length > 0))) process.exitCode = 1;
