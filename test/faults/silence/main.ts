import { writeSync } from 'node:fs';
import { callOf } from '../../e2e/calls.ts';
import { send } from '../../e2e/http.ts';
import { wireNames, wires, type Wire } from '../../matrix/wires.ts';
import { secrets } from '../models.ts';
import { startFaultScene } from '../scene.ts';
import { firstFrames, goodFrames } from '../upstream/answers.ts';
import { chunk, lastChunk, opened, pause, streamed, type Step } from '../upstream/steps.ts';
import { moments, SILENCE_MS, type Heard, type Moment } from './heard.ts';
import { readers } from './readers.ts';

const providerOf: Readonly<Record<Wire, string>> = { chat: 'openai', messages: 'anthropic', responses: 'openai', google: 'google' };
/** At the vendor; the catalog has its provider in front. */
const nameOf = (vendor: Wire, moment: Moment): string => `${vendor}-${moment}`;
const modelOf = (vendor: Wire, moment: Moment): string => `${providerOf[vendor]}/${nameOf(vendor, moment)}`;

const silent: Readonly<Record<Moment, (vendor: Wire) => readonly Step[]>> = {
  first: (vendor) => [pause(SILENCE_MS), ...streamed(goodFrames(vendor))],
  middle: (vendor) => [...opened(firstFrames(vendor)), pause(SILENCE_MS), ...goodFrames(vendor).slice(firstFrames(vendor).length).map(chunk), lastChunk],
};

/** Vendors that fall silent, behind a gateway whose deadlines and signs of life are those that it has by itself. */
const scene = await startFaultScene({
  settings: (url) => ({
    providers: {
      openai: { use: 'openai', config: { apiKey: secrets.openai, baseUrl: `${url}/v1` } },
      anthropic: { use: 'anthropic', config: { apiKey: secrets.anthropic, baseUrl: url } },
      google: { use: 'google', config: { apiKey: secrets.google, baseUrl: url } },
    },
    models: Object.fromEntries(
      wires.flatMap((vendor) => moments.map((moment) => [modelOf(vendor, moment), { wires: Object.values(wireNames), targets: [{ provider: providerOf[vendor], model: nameOf(vendor, moment), wire: wireNames[vendor] }] }])),
    ),
  }),
});
const models = wires.flatMap((vendor) => moments.map((moment) => ({ vendor, moment, name: nameOf(vendor, moment) })));
scene.upstream.script = ({ path, body }) => {
  const asked = models.find(({ name }) => path.includes(`/${name}:`) || body.includes(`"${name}"`));
  return asked === undefined ? [] : silent[asked.moment](asked.vendor);
};

const listen = async (client: Wire, vendor: Wire, moment: Moment): Promise<Heard> => {
  const since = performance.now();
  const model = modelOf(vendor, moment);
  const [said, raw] = await Promise.all([readers[client](scene.url, model).catch(String), send(scene.url, callOf(client, model, { stream: true }))]);
  return { client, vendor, moment, said, signs: raw.text.match(/^: keep-alive$|^event: ping$/gm)?.length ?? 0, ms: performance.now() - since };
};
const heard = await Promise.all(wires.flatMap((client) => wires.flatMap((vendor) => moments.map((moment) => listen(client, vendor, moment)))));
await scene.stop();
writeSync(1, JSON.stringify(heard));
process.exit();
