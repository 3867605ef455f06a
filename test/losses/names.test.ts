import { expect } from 'chai';
import type { Json } from '../matrix/wires.ts';
import { wires, type Probe, type Wire } from './probe.ts';
import { otherSpellings } from './probes/other-spellings.ts';
import { probes } from './probes/index.ts';
import { startLossScene, type LossScene } from './scene.ts';

/** Losses of headers, which are in no body. */
const headers: ReadonlySet<string> = new Set(['anthropic-beta']);

/** The value at exactly this path. */
const valueAt = (body: Json, path: string): unknown =>
  (path.match(/[^.[\]]+|\[\d+\]/g) ?? []).reduce<unknown>((node, step) => {
    const key = step.startsWith('[') ? Number(step.slice(1, -1)) : step;
    return typeof node === 'object' && node !== null && Object.hasOwn(node, key)
      ? (node as Record<string | number, unknown>)[key]
      : undefined;
  }, body);

const conversations: Readonly<Record<Wire, string>> = {
  'chat-completions': 'messages',
  messages: 'messages',
  responses: 'input',
  'generate-content': 'contents',
  interactions: 'input',
};
/** A value that was added has no place in the body, unless it was added to the conversation. */
const isPlaced = (client: Wire, field: string, kind: string): boolean =>
  !headers.has(field) && (kind !== 'injected' || field.startsWith(conversations[client]));

describe('the names of losses of requests', () => {
  let scene: LossScene;
  before(async () => {
    scene = await startLossScene();
  });
  after(() => scene.stop());

  const check = async (client: Wire, target: Wire, probe: Probe): Promise<number> => {
    const plain = await scene.translate(client, target, probe);
    const streamed = await scene.translate(client, target, probe, 'streamed');
    const feature = `${probe.feature} of ${client} to ${target}`;
    expect(streamed.status, feature).to.equal(plain.status);
    expect(streamed.losses, `${feature}: plain and streamed`).to.have.members(plain.losses);
    for (const [field = '', kind = ''] of plain.losses.map((loss) => loss.split(';'))) {
      if (!isPlaced(client, field, kind)) continue;
      expect(valueAt(plain.sent, field), `${feature}: ${field} is in ${JSON.stringify(plain.sent)}`).to.not.be.oneOf([
        undefined,
        null,
      ]);
    }
    return plain.losses.length;
  };

  for (const client of wires) {
    for (const target of wires) {
      it(`losses of ${client} over ${target} are places in the body, the same plain and streamed`, async () => {
        let named = 0;
        for (const probe of [...probes[client], ...otherSpellings[client]]) named += await check(client, target, probe);
        if (client !== target) expect(named, 'losses').to.be.greaterThan(0);
      });
    }
  }

  for (const client of wires) {
    it(`losses of ${client} in other spellings have the names that the client wrote`, async () => {
      for (const probe of otherSpellings[client]) {
        const { losses } = await scene.translate(client, probe.target, probe);
        expect(losses, probe.feature).to.include.members(probe.losses);
      }
    });
  }
});
