import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { writeWav } from '../e2e/operations/audio.ts';
import { KEY, startTestGateway } from '../support/gateway.ts';
import { operationProbes, type OperationProbes } from './operation-probes.ts';
import { PIXEL, type Probe } from './probe.ts';
import type { Translation } from './scene.ts';

const wav = writeWav(1);
const ranks = [{ index: 0, relevance_score: 0.5 }];
const answerGoogle = (path: string): object => {
  const part = path.includes('-image')
    ? { inlineData: { mimeType: 'image/png', data: PIXEL } }
    : path.includes('-tts')
      ? { inlineData: { mimeType: 'audio/L16;codec=pcm;rate=24000', data: wav.toString('base64') } }
      : { text: 'Hello' };
  return {
    candidates: [{ content: { role: 'model', parts: [part] }, finishReason: 'STOP' }],
    usageMetadata: { promptTokenCount: 4, candidatesTokenCount: 5, totalTokenCount: 9 },
  };
};

/** The response of a vendor to a path; a text is no JSON. */
const answerTo = (path: string, sent: string): object | string => {
  if (path.includes(':predict')) return { predictions: [{ mimeType: 'image/png', bytesBase64Encoded: PIXEL }] };
  if (path.includes(':generateContent')) return answerGoogle(path);
  if (path.includes('rerank')) return { id: 'r', results: ranks, data: ranks, usage: { total_tokens: 3 } };
  if (path.startsWith('/model/')) return { images: [PIXEL], finish_reasons: [null] };
  if (path.includes('/images/')) return { created: 1, data: [{ b64_json: PIXEL }] };
  if (path.includes('/audio/speech')) return wav.toString('latin1');
  return /\b(?:srt|text)\r\n/.test(sent) ? 'Hello' : { text: 'Hello', segments: [], words: [] };
};

export interface OperationScene {
  /** The smallest request with the members of the probe. @param provider a name of the targets */
  translate(operation: OperationProbes, provider: string, probe: Probe): Promise<Translation>;
  stop(): Promise<void>;
}

/** A gateway in front of vendors for operations beside generation. */
export const startOperationScene = async (): Promise<OperationScene> => {
  const vendor = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const answer = answerTo(request.url ?? '', Buffer.concat(chunks).toString('latin1'));
    if (typeof answer === 'object')
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    else
      response
        .writeHead(200, { 'content-type': request.url?.includes('speech') === true ? 'audio/wav' : 'text/plain' })
        .end(Buffer.from(answer, 'latin1'));
  });
  vendor.listen(0, '127.0.0.1');
  await once(vendor, 'listening');
  const baseUrl = `http://127.0.0.1:${(vendor.address() as AddressInfo).port}`;
  const own = (use: string, path = '') => ({ use, config: { apiKey: 'k', baseUrl: baseUrl + path } });
  const bedrock = { use: 'bedrock', config: { region: 'us-east-1', apiKey: 'k', baseUrl } };
  const gateway = await startTestGateway({
    providers: {
      openai: own('openai', '/v1'),
      google: own('google'),
      imagen: own('google'),
      bedrock,
      stability: bedrock,
      groq: own('groq', '/v1'),
      mistral: own('mistral'),
      cohere: own('cohere'),
      azure: { use: 'azure-openai', config: { apiKey: 'k', endpoint: baseUrl } },
      jina: own('jina', '/v1'),
      voyage: own('voyage', '/v1'),
    },
    models: Object.fromEntries(
      operationProbes.flatMap(({ wire, targets }) =>
        Object.entries(targets).map(([provider, model]) => [
          `${wire}/${provider}`,
          { wires: [wire], targets: [{ provider, model }] },
        ]),
      ),
    ),
  });
  return {
    translate: async ({ wire, path, body, isForm }, provider, probe) => {
      const sent = { model: `${wire}/${provider}`, ...body, ...probe.body };
      const form = new FormData();
      if (isForm === true) {
        for (const [name, value] of Object.entries(sent)) form.append(name, String(value));
        form.append('file', new Blob([new Uint8Array(wav)], { type: 'audio/wav' }), 'a.wav');
      }
      const { status, headers } = await fetch(gateway.url + path, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${KEY}`,
          ...(isForm === true ? {} : { 'content-type': 'application/json' }),
        },
        body: isForm === true ? form : JSON.stringify(sent),
      });
      return {
        status,
        sent,
        lane: headers.get('x-koine-lane') ?? undefined,
        losses: headers.get('x-koine-losses')?.split(', ') ?? [],
      };
    },
    stop: async () => {
      await gateway.stop();
      vendor.closeAllConnections();
      vendor.close();
    },
  };
};
