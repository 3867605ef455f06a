import { expect } from 'chai';
import * as fc from 'fast-check';
import nock from 'nock';
import { Readable } from 'node:stream';
import type { JsonObject } from '../../core/api/index.ts';
import { rechunk, type Recording } from '../../core/testing/index.ts';
import { writeWav } from '../e2e/operations/audio.ts';
import { recordings } from './recordings.ts';
import { KEY, startTestGateway, type TestGateway } from '../support/gateway.ts';

// Importing nock activates it for every test of this process, so it is active only while this file runs.
nock.restore();

const VENDOR = 'http://vendor.test';
const answered = recordings.filter(({ response }) => response?.status === 200);
const bytesOf = ({ response }: Recording): Buffer =>
  response?.file === undefined
    ? Buffer.from(response?.text ?? JSON.stringify(response?.body))
    : Buffer.from(response.file, 'base64');
const textOf = (recording: Recording): string => bytesOf(recording).toString();

const parsesTo = (text: string, wanted: string): boolean => {
  try {
    return JSON.stringify(JSON.parse(text)) === wanted;
  } catch {
    return false;
  }
};

const outputTextOf = ({ output }: { readonly output: readonly JsonObject[] }): string =>
  output
    .flatMap(({ content }) => (content ?? []) as readonly JsonObject[])
    .map(({ type, text }) => (type === 'output_text' ? text : ''))
    .join('');
/** Adds a member to the response in an event, as the last one, and changes no other byte. */
const addToEvent = (data: string, member: string, value: unknown): string => {
  const event = JSON.parse(data) as { readonly response: JsonObject };
  const wanted = JSON.stringify({ ...event, response: { ...event.response, [member]: value } });
  for (let at = data.lastIndexOf('}'); at > 0; at = data.lastIndexOf('}', at - 1)) {
    const added = `${data.slice(0, at)},${JSON.stringify(member)}:${JSON.stringify(value)}${data.slice(at)}`;
    if (parsesTo(added, wanted)) return added;
  }
  throw new Error('the event has no response');
};

const addOutputText = (sse: string): string =>
  sse.replace(
    /^(data: ?)(\{.*"type": ?"response\.(?:completed|incomplete)".*\})$/m,
    (_line, name: string, data: string) => {
      const { response } = JSON.parse(data) as { readonly response: { readonly output: readonly JsonObject[] } };
      return 'output_text' in response ? name + data : name + addToEvent(data, 'output_text', outputTextOf(response));
    },
  );

/** Responses have `output_text`, which vendors leave to their SDK, and streams of that wire end without `[DONE]`. */
const deliveredOf = (recording: Recording): string => {
  const { wire, response } = recording;
  if (wire !== 'responses') return textOf(recording);
  if (response?.text !== undefined) return addOutputText(response.text.replace(/data: \[DONE\]\n\n$/, ''));
  const body = response?.body as { readonly output: readonly JsonObject[] };
  return JSON.stringify({ ...body, output_text: outputTextOf(body) });
};

/** The request of a wire, the same at the vendor and at the gateway except for the model name. */
const entryPoints: Readonly<
  Record<string, { readonly provider: string; readonly path: (model: string, stream: boolean, body: object) => string }>
> = {
  'chat-completions': { provider: 'openai', path: () => '/v1/chat/completions' },
  completions: { provider: 'instruct', path: () => '/v1/completions' },
  messages: { provider: 'anthropic', path: () => '/v1/messages' },
  embeddings: { provider: 'openai', path: () => '/v1/embeddings' },
  moderations: { provider: 'openai', path: () => '/v1/moderations' },
  'image-generations': { provider: 'openai', path: () => '/v1/images/generations' },
  'image-edits': { provider: 'openai', path: () => '/v1/images/edits' },
  speech: { provider: 'openai', path: () => '/v1/audio/speech' },
  transcriptions: { provider: 'openai', path: () => '/v1/audio/transcriptions' },
  translations: { provider: 'openai', path: () => '/v1/audio/translations' },
  'image-variations': { provider: 'openai', path: () => '/v1/images/variations' },
  'embed-content': {
    provider: 'google',
    path: (model, _stream, body) =>
      `/v1beta/models/${model}:${'requests' in body ? 'batchEmbedContents' : 'embedContent'}`,
  },
  responses: { provider: 'openai', path: () => '/v1/responses' },
  interactions: { provider: 'google', path: () => '/v1beta/interactions' },
  'generate-content': {
    provider: 'google',
    path: (model, stream) => `/v1beta/models/${model}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
  },
};
const entryOf = ({ wire }: Recording) => entryPoints[wire] ?? { provider: '', path: () => '' };
const pathOf = (recording: Recording, model: string): string =>
  entryOf(recording).path(model, recording.response?.text !== undefined, recording.request?.body as object);

/** The recorder stores a stream as one text, which is split anew at random positions. */
const reply = (recording: Recording, cuts: readonly number[]): void => {
  const bytes = bytesOf(recording);
  nock(VENDOR)
    .post(pathOf(recording, 'recorded'))
    .reply(
      200,
      () =>
        Readable.from(
          rechunk(
            bytes,
            cuts.map((cut) => cut % bytes.length),
          ),
        ),
      { ...recording.response?.headers },
    );
};

const audio = { field: 'file', name: 'one.wav', type: 'audio/wav', bytes: writeWav(2) };
/** The files of requests that are forms: a recording holds their texts only. */
const files: Readonly<Record<string, typeof audio>> = {
  'image-variations': {
    field: 'image',
    name: 'one.png',
    type: 'image/png',
    bytes: Buffer.from('89504e470d0a1a0a', 'hex'),
  },
  'transcriptions': audio,
  'translations': audio,
};
const formOf = (members: JsonObject, { field, name, type, bytes }: typeof audio): FormData => {
  const form = new FormData();
  for (const [member, value] of Object.entries(members)) form.append(member, String(value));
  form.append(field, new Blob([Uint8Array.from(bytes)], { type }), name);
  return form;
};

const ask = async (
  { url }: TestGateway,
  recording: Recording,
  model: string,
): Promise<{ lane: string | null; text: string }> => {
  const file = files[recording.wire];
  const members = { ...(recording.request?.body as JsonObject), model };
  const answer = await fetch(url + pathOf(recording, model), {
    method: 'POST',
    headers: {
      authorization: `Bearer ${KEY}`,
      'anthropic-version': '2023-06-01',
      ...(file !== undefined ? {} : { 'content-type': 'application/json' }),
    },
    body: file !== undefined ? formOf(members, file) : JSON.stringify(members),
  });
  return { lane: answer.headers.get('x-koine-lane'), text: await answer.text() };
};

describe('a recording replayed by nock with new chunk borders', () => {
  let gateway: TestGateway;

  before(async () => {
    gateway = await startTestGateway({
      providers: {
        openai: { use: 'openai', config: { apiKey: 'k', baseUrl: `${VENDOR}/v1` } },
        instruct: {
          use: 'openai-compatible',
          config: { baseUrl: `${VENDOR}/v1`, wires: ['completions'] },
        },
        anthropic: { use: 'anthropic', config: { apiKey: 'k', baseUrl: VENDOR } },
        google: { use: 'google', config: { apiKey: 'k', baseUrl: VENDOR } },
      },
      models: Object.fromEntries(
        ['openai', 'instruct', 'anthropic', 'google'].map((provider) => [
          `${provider}/recorded`,
          { wires: Object.keys(entryPoints), targets: [{ provider, model: 'recorded' }] },
        ]),
      ),
    });
    nock.activate();
    nock.enableNetConnect('127.0.0.1');
  });
  after(async () => {
    nock.cleanAll();
    nock.restore();
    await gateway.stop();
  });

  for (const recording of answered) {
    it(`reaches the client byte for byte: ${recording.name}`, async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(fc.nat(), { minLength: 1, maxLength: 8 }), async (cuts) => {
          reply(recording, cuts);
          expect(await ask(gateway, recording, `${entryOf(recording).provider}/recorded`)).to.deep.equal({
            lane: 'native',
            text: deliveredOf(recording),
          });
        }),
        { numRuns: 5 },
      );
    });
  }
});
