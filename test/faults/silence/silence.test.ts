import { expect } from 'chai';
import { callOf } from '../../support/calls.ts';
import { send } from '../../support/http.ts';
import { wireNames, wires, type Wire } from '../../matrix/wires.ts';
import { finishReasons } from '../../matrix/wire-terms.ts';
import { holdInvariants } from '../checks/invariants.ts';
import { secrets } from '../models.ts';
import { startFaultScene, type FaultScene } from '../scene.ts';
import { firstFrames, goodFrames } from '../upstream/answers.ts';
import { chunk, complete, lastChunk, opened, pause, streamed, type Step } from '../upstream/steps.ts';
import { readers } from './readers.ts';

/** More than a minute. */
const SILENCE_MS = 62_000;
const providerOf: Readonly<Record<Wire, string>> = {
  chat: 'openai',
  messages: 'anthropic',
  responses: 'openai',
  google: 'google',
};

/** When the provider becomes silent: before its head, or after the first half of the text. */
const moments: Readonly<Record<'first' | 'middle', (vendor: Wire) => readonly Step[]>> = {
  first: (vendor) => [pause(SILENCE_MS), ...streamed(goodFrames(vendor))],
  middle: (vendor) => [
    ...opened(firstFrames(vendor)),
    pause(SILENCE_MS),
    ...goodFrames(vendor).slice(firstFrames(vendor).length).map(chunk),
    lastChunk,
    complete,
  ],
};
const models = wires.flatMap((vendor) =>
  Object.entries(moments).map(([moment, script]) => ({ vendor, name: `${vendor}-${moment}`, script })),
);

/** Deadlines and keep-alives are the defaults of a gateway. */
const settings = (url: string): Readonly<Record<string, unknown>> => ({
  providers: {
    openai: { use: 'openai', config: { apiKey: secrets.openai, baseUrl: `${url}/v1` } },
    anthropic: { use: 'anthropic', config: { apiKey: secrets.anthropic, baseUrl: url } },
    google: { use: 'google', config: { apiKey: secrets.google, baseUrl: url } },
  },
  models: Object.fromEntries(
    models.map(({ vendor, name }) => [
      `${providerOf[vendor]}/${name}`,
      {
        wires: Object.values(wireNames),
        targets: [{ provider: providerOf[vendor], model: name, wire: wireNames[vendor] }],
      },
    ]),
  ),
});

describe('an upstream that is silent for more than a minute (in CI, or with KOINE_SLOW=1)', function () {
  this.timeout(4 * SILENCE_MS);
  let scene: FaultScene;
  before(async function () {
    if (process.env['CI'] !== 'true' && process.env['KOINE_SLOW'] !== '1') this.skip();
    scene = await startFaultScene({ settings });
    scene.upstream.script = ({ path, body }) => {
      const asked = models.find(({ name }) => path.includes(`/${name}:`) || body.includes(`"${name}"`));
      return asked?.script(asked.vendor) ?? [];
    };
  });
  after(() => scene?.stop());

  it('every SDK waits for a silent upstream and gets keep-alives meanwhile', async () => {
    const listen = async (client: Wire, vendor: Wire, name: string): Promise<void> => {
      const model = `${providerOf[vendor]}/${name}`;
      const [said, raw] = await Promise.all([
        readers[client](scene.url, model).catch(String),
        send(scene.url, callOf(client, model, { stream: true })),
      ]);
      scene.replies.push(raw, new Error('read by the SDK'));
      expect(said, `${client}>${name}`).to.equal(`Good day.${finishReasons[client].stop}`);
      // The first after 4 s before content, after 15 s in the middle; then one every 15 s.
      expect(raw.text.match(/^: keep-alive$|^event: ping$/gm), `${client}>${name}`).to.have.length.of.at.least(3);
    };
    await Promise.all(wires.flatMap((client) => models.map(({ vendor, name }) => listen(client, vendor, name))));
    await holdInvariants(scene);
  });
});
