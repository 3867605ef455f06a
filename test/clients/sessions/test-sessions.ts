import { expect } from 'chai';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../tools/release/lockfile.ts';
import { wireNames, wires, type Wire } from '../../matrix/wires.ts';
import { createTemporaryFolder } from '../../support/temporary-folder.ts';
import { turnNames, type Agent } from './agent.ts';
import { agents } from './agents.ts';
import { listRefused, runTurn, startScene, type Place } from './session.ts';
import { replaceTable, writeTable, type Row } from './table.ts';

const PAGE = join(root, 'docs/start/agents.md');

/** Runs the turns of the script that the agent has, in one session. */
async function runSession(agent: Agent, wire: Wire, place: Omit<Place, 'work'>): Promise<Row> {
  const scene = await startScene(agent, wire, place);
  const cells: [string, string][] = [];
  try {
    for (const turn of turnNames) {
      const reason = agent.without[turn];
      if (reason === undefined)
        await runTurn(scene, agent, turn).catch((error: unknown) => {
          throw new Error(`the turn '${turn}' failed`, { cause: error });
        });
      cells.push([turn, reason === undefined ? 'yes' : '–']);
    }
    expect(listRefused(scene.koine)).to.deep.equal([]);
  } finally {
    await scene.stop();
  }
  return { agent: agent.name, wire, cells: Object.fromEntries(cells) };
}

/** Defines the scripted sessions: each agent over an upstream of each wire. */
export function testSessions(limitMs: number, install: () => string): void {
  const rows: Row[] = [];
  for (const agent of agents)
    describe(`a scripted session of ${agent.name} (agents)`, function () {
      this.timeout(limitMs);
      let path: string;
      let home: ReturnType<typeof createTemporaryFolder>;
      before(() => {
        path = install();
        home = createTemporaryFolder();
      });
      after(() => home?.remove());
      for (const wire of wires)
        it(`${agent.name} finishes the scripted session over an upstream of ${wireNames[wire]}`, async () => {
          rows.push(await runSession(agent, wire, { home: home.path, path }));
        });
    });

  describe('the table of scripted sessions (agents)', () => {
    it('docs/start/agents.md has the results of the scripted sessions', function () {
      // A run of a part of them.
      if (rows.length < agents.length * wires.length) this.skip();
      const page = readFileSync(PAGE, 'utf8');
      const written = replaceTable(page, writeTable(agents, rows));
      if (process.env['KOINE_WRITE_AGENTS'] === '1') writeFileSync(PAGE, written);
      else expect(page, 'stale: run the tests with KOINE_WRITE_AGENTS=1').to.equal(written);
    });
  });
}
