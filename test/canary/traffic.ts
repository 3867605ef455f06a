import type { KoineProcess } from '../processes/koine-process.ts';
import { until } from '../support/until.ts';
import { badBodies, requestOf, wires } from './calls.ts';
import { exchange } from './outputs.ts';
import { vendors, type CanaryScene } from './scene.ts';
import { behaviours } from './vendor.ts';

type Gateway = Pick<KoineProcess, 'url' | 'adminUrl'>;

/** Response headers have no secret; response bodies have only what belongs to the caller. */
const addAnswer = (
  { outputs }: CanaryScene,
  title: string,
  { head, body }: { readonly head: string; readonly body: string },
  ...belongs: readonly string[]
): void => {
  outputs.add(`${title}, head`, head);
  outputs.add(`${title}, body`, body, ...belongs);
};

/**
 * Sends every wire to every vendor, plain and streamed, with every kind of failure.
 * @returns the number of responses with status 200
 */
export const callVendors = async (scene: CanaryScene, { url }: Gateway): Promise<number> => {
  let good = 0;
  for (const behaviour of behaviours) {
    const calls = vendors.flatMap((vendor) =>
      wires.flatMap((wire) => [false, true].map((isStream) => ({ vendor, wire, isStream }))),
    );
    await Promise.all(
      calls.map(async ({ vendor, wire, isStream }) => {
        const prompt = `prompt ${wire}`;
        const { path, headers, body } = requestOf(
          wire,
          `${vendor}-${behaviour}/m`,
          isStream,
          scene.mark('key alice'),
          scene.mark(prompt),
        );
        const answer = await exchange(url, 'POST', path, headers, JSON.stringify(body));
        if (answer.status === 200) good += 1;
        addAnswer(scene, `${wire} to ${vendor}-${behaviour}${isStream ? ', streamed' : ''}`, answer, prompt, 'answer');
      }),
    );
  }
  return good;
};

/** Calls of another tenant, of a key with a spent budget, and token counts. */
export const callAsOthers = async (scene: CanaryScene, { url }: Gateway): Promise<void> => {
  for (const name of ['bob', 'carol', 'carol', 'carol']) {
    const { path, headers, body } = requestOf(
      'chat',
      'openai-good/m',
      false,
      scene.mark(`key ${name}`),
      scene.mark('prompt bob'),
    );
    addAnswer(
      scene,
      `chat of ${name}`,
      await exchange(url, 'POST', path, headers, JSON.stringify(body)),
      'prompt bob',
      'answer',
    );
  }
  const { headers, body } = requestOf(
    'messages',
    'anthropic-good/m',
    false,
    scene.mark('key bob'),
    scene.mark('prompt bob'),
  );
  addAnswer(
    scene,
    'count tokens',
    await exchange(url, 'POST', '/v1/messages/count_tokens', headers, JSON.stringify(body)),
    'prompt bob',
    'answer',
  );
  addAnswer(scene, 'models', await exchange(url, 'GET', '/v1/models', headers));
  addAnswer(scene, 'usage', await exchange(url, 'GET', '/v1/usage', headers));
};

/** Sends invalid keys in every place for a key, and valid keys and prompts in wrong places. */
export const callBadly = async (scene: CanaryScene, { url }: Gateway): Promise<void> => {
  const { mark } = scene;
  const [wrong, alice, prompt] = [mark('wrong key'), mark('key alice'), mark('prompt bad')];
  const json = { 'content-type': 'application/json' };
  const good = { ...json, authorization: `Bearer ${alice}` };
  const text = JSON.stringify(requestOf('chat', 'openai-good/m', false, alice, prompt).body);
  const places: readonly Readonly<Record<string, string>>[] = [
    { authorization: `Bearer ${wrong}` },
    { authorization: wrong },
    { 'x-api-key': wrong },
    { 'x-goog-api-key': wrong },
    { cookie: `session=${wrong}` },
  ];
  for (const place of places)
    addAnswer(
      scene,
      `a wrong key in ${Object.keys(place)[0]}`,
      await exchange(url, 'POST', '/v1/chat/completions', { ...json, ...place }, text),
    );
  for (const path of [
    `/v1/models?key=${encodeURIComponent(wrong)}`,
    `/${encodeURIComponent(wrong)}`,
    `/v1beta/models/${encodeURIComponent(wrong)}:generateContent?key=${encodeURIComponent(alice)}`,
  ])
    addAnswer(
      scene,
      `a wrong key in the path ${path.slice(0, 5)}`,
      await exchange(url, 'POST', path, json, text),
      'wrong key',
    );
  const misplaced = {
    'user-agent': `agent/${alice}`,
    'x-request-id': alice,
    traceparent: alice,
    tracestate: `koine=${alice}`,
    referer: `http://here/?key=${encodeURIComponent(alice)}`,
    'x-forwarded-for': alice,
    'content-type': `application/json; charset=${alice.replaceAll(/[^a-z0-9]/gi, '')}`,
  };
  for (const [name, value] of Object.entries(misplaced))
    addAnswer(
      scene,
      `a key in ${name}`,
      await exchange(url, 'POST', '/v1/chat/completions', { ...good, [name]: value }, text),
      'prompt bad',
      'answer',
    );
  for (const [index, body] of badBodies(prompt, alice, mark('name')).entries())
    addAnswer(
      scene,
      `bad body ${index}`,
      await exchange(url, 'POST', '/v1/chat/completions', good, body),
      'prompt bad',
      'name',
      'answer',
    );
  addAnswer(
    scene,
    'a query where none belongs',
    await exchange(
      url,
      'POST',
      `/v1/chat/completions?prompt=${encodeURIComponent(prompt)}&key=${encodeURIComponent(alice)}`,
      json,
      text,
    ),
    'prompt bad',
    'answer',
  );
};

/**
 * Triggers a plugin that throws its token: in a hook, where it is caught, and later, where it ends a worker each time.
 */
export const callCrashing = async (scene: CanaryScene, koine: KoineProcess): Promise<void> => {
  const { path, headers, body } = requestOf(
    'chat',
    'openai-good/m',
    false,
    scene.mark('key alice'),
    scene.mark('prompt chat'),
  );
  const call = async (how: string): Promise<void> =>
    addAnswer(
      scene,
      `a plugin that fails: ${how}`,
      await exchange(koine.url, 'POST', path, { ...headers, 'x-canary': how }, JSON.stringify(body)),
      'prompt chat',
      'answer',
    );
  for (const how of ['throw', 'object', 'name']) await call(how);
  for (const how of ['throw later', 'object later', 'name rejected']) {
    const before = koine.workers().length;
    await call(how);
    await until(`a new worker after ${how}`, () => koine.workers().length > before);
  }
};
