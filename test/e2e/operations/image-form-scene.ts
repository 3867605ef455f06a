import { type OpenAI, toFile } from 'openai';
import { createChatClient } from '../../matrix/clients/client-chat.ts';
import { KEY, startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { startUpstream, type TestUpstream } from '../../support/upstream.ts';
import { startFormVendor, type FormVendor } from './form-vendor.ts';

export const PNG = Buffer.from('iVBORw0KGgoAAAANSUhEUg==', 'base64');
const usage = {
  input_tokens: 60,
  input_tokens_details: { image_tokens: 40, text_tokens: 20 },
  output_tokens: 300,
  output_tokens_details: { image_tokens: 200, text_tokens: 100 },
  total_tokens: 360,
};
/** Costs 20 * 5 + 40 * 8 + 100 * 10 + 200 * 30 per million. */
export const ANSWER = JSON.stringify({ created: 7, data: [{ b64_json: 'iVBORw0KGgo=' }], house: 1, usage });
export const ANSWER_MICRO = 7_420;
/** The last event of a stream has the same usage. */
export const COMPLETED = { b64_json: 'AA==', usage };
const price = { input: 5, inputImage: 8, output: 10, outputImage: 30 };

export type Field = readonly [name: string, value: string | Buffer];

/** A gateway in front of vendors with and without forms of images. */
export interface ImageForms {
  readonly vendor: FormVendor;
  /** Answers as a test sets it. */
  readonly google: TestUpstream;
  readonly gateway: TestGateway;
  readonly openai: OpenAI;
  post(fields: readonly Field[], path?: string, key?: string): Promise<Response>;
  lastExchange(): Promise<object>;
  stop(): Promise<void>;
}

export const pngFile = (bytes: Buffer, name: string) => toFile(bytes, name, { type: 'image/png' });

export async function startImageForms(): Promise<ImageForms> {
  const vendor = await startFormVendor(ANSWER);
  const google = await startUpstream();
  const config = { apiKey: 'upstream-secret', baseUrl: vendor.url };
  const all = ['image-generations', 'image-edits', 'image-variations'];
  const target = (provider: string, model: string) => ({ provider, model, price });
  const gemini = target('google', 'gemini-3.1-flash-image');
  const gateway = await startTestGateway({
    // Two requests of 10 MB of images have room in memory, and a third has not.
    server: { overload: { memory: '90mb', lag: '1m' } },
    providers: {
      openai: { use: 'openai', config },
      azure: { use: 'azure-openai', config: { apiKey: 'upstream-secret', endpoint: vendor.url.replace('/v1', '') } },
      google: { use: 'google', config: { apiKey: 'upstream-secret', baseUrl: google.url } },
      local: { use: 'openai-compatible', config: { baseUrl: vendor.url, wires: all } },
      plain: { use: 'openai-compatible', config: { baseUrl: vendor.url, wires: ['image-generations'] } },
      simulator: { use: 'simulator' },
    },
    models: {
      'openai/image': { targets: [target('openai', 'gpt-image-2')] },
      'azure/image': { targets: [target('azure', 'gpt-image-2')] },
      'google/image': { targets: [gemini] },
      'local/sd': { targets: [target('local', 'sd')] },
      'plain/sd': { targets: [target('plain', 'sd')] },
      'two/image': { targets: [target('local', 'down'), gemini] },
      'both/image': { targets: [gemini, target('local', 'sd')] },
      'simulator/chat': { targets: [{ provider: 'simulator', model: 'chat' }] },
    },
    aliases: { 'dall-e-2': 'local/sd' },
    plugins: [{ use: 'auth' }, { use: 'rate-limit' }, { use: 'failover' }],
    organizations: {
      acme: {
        projects: {
          web: {
            keys: {
              alice: { key: KEY },
              few: { key: `${KEY}-few`, limits: [{ images: 3, per: '1h' }] },
              strict: { key: `${KEY}-strict`, losses: 'reject' },
            },
          },
        },
      },
    },
  });
  return {
    vendor,
    google,
    gateway,
    openai: createChatClient(gateway.url),
    post: (fields, path = '/v1/images/edits', key = KEY) => {
      const form = new FormData();
      for (const [name, value] of fields)
        if (typeof value === 'string') form.append(name, value);
        else form.append(name, new Blob([new Uint8Array(value)]), 'a.png');
      return fetch(gateway.url + path, { method: 'POST', headers: { authorization: `Bearer ${key}` }, body: form });
    },
    lastExchange: async () => {
      await gateway.settled(Math.max(1, gateway.exchanges().length));
      return gateway.exchanges().at(-1) ?? {};
    },
    stop: async () => {
      await gateway.stop();
      await google.stop();
      await vendor.stop();
    },
  };
}
