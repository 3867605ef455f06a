import { expect } from 'chai';
import { readFile, writeFile } from 'node:fs/promises';
import { operationProbes } from './operation-probes.ts';
import { startOperationScene } from './operation-scene.ts';
import { writePage, type OperationRow, type Row } from './page.ts';
import { wires, type Wire } from './probe.ts';
import { probes } from './probes/index.ts';
import { startLossScene, targets, type Translation, type LossScene } from './scene.ts';

const page = new URL('../../docs/reference/losses.md', import.meta.url);

/** Sends every feature of every wire to every wire, and compares the losses with the documentation. */
describe('docs/reference/losses.md', () => {
  let scene: LossScene;
  const rows: Row[] = [];
  const operationRows: OperationRow[] = [];
  before(async () => {
    scene = await startLossScene();
  });
  after(() => scene.stop());

  for (const client of wires) {
    it(`docs/reference/losses.md has every feature of ${client}`, async () => {
      for (const probe of probes[client]) {
        const translations: [Wire, Translation][] = [];
        for (const target of wires) {
          const translation = await scene.translate(client, target, probe);
          expect(translation.status, `${probe.feature} to ${target}`).to.be.oneOf([200, 400]);
          translations.push([target, translation]);
        }
        rows.push({ client, probe, translations: Object.fromEntries(translations) as Record<Wire, Translation> });
      }
    });
  }

  it('docs/reference/losses.md has every feature of the operations beside generation', async () => {
    const operations = await startOperationScene();
    try {
      for (const operation of operationProbes)
        for (const probe of operation.probes) {
          const translations: Translation[] = [];
          for (const provider of Object.keys(operation.targets)) {
            const translation = await operations.translate(operation, provider, probe);
            expect(translation.status, `${operation.wire}: ${probe.feature} to ${provider}`).to.be.oneOf([200, 400]);
            translations.push(translation);
          }
          operationRows.push({ operation, probe, translations });
        }
    } finally {
      await operations.stop();
    }
  });

  it('docs/reference/losses.md is what was written by `npm run docs:losses`', async () => {
    const text = writePage(
      rows,
      Object.fromEntries(wires.map((wire) => [wire, targets[wire].model])) as Record<Wire, string>,
      operationProbes,
      operationRows,
    );
    if (process.env['KOINE_WRITE_LOSSES'] === '1') await writeFile(page, text);
    expect(
      await readFile(page, 'utf8').catch(() => ''),
      'docs/reference/losses.md is stale: run `npm run docs:losses`',
    ).to.equal(text);
  });
});
