import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  FunctionCallingConfigMode,
  GoogleGenAI,
  HarmBlockThreshold,
  HarmCategory,
  ServiceTier,
  ThinkingLevel,
  Type,
  type GenerateContentParameters,
} from '@google/genai';
import { expect } from 'chai';
import type { JsonObject } from '../../../../core/api/index.ts';
import { plainRequest } from './corpus/plain-request.ts';
import { chunk, decodeBody, encode, readResponse, stop } from './upstream/exchange.ts';

/** The SDK's own spelling of its own types, caught at the socket. */
const user = { role: 'user', parts: [{ text: 'hi' }] };
const requests: Readonly<Record<string, Omit<GenerateContentParameters, 'model'>>> = {
  'text': { contents: 'hi' },
  'settings': {
    contents: [user],
    config: {
      systemInstruction: 'Be brief.',
      temperature: 0.5,
      topP: 0.9,
      topK: 40,
      candidateCount: 2,
      maxOutputTokens: 10,
      stopSequences: ['END'],
      seed: 7,
      presencePenalty: 0.1,
      frequencyPenalty: 0.2,
      serviceTier: ServiceTier.FLEX,
    },
  },
  'a schema in the dialect': {
    contents: 'hi',
    config: {
      responseMimeType: 'application/json',
      responseSchema: { type: Type.OBJECT, properties: { a: { type: Type.STRING } }, required: ['a'] },
    },
  },
  'a JSON schema': {
    contents: 'hi',
    config: {
      responseMimeType: 'application/json',
      responseJsonSchema: { type: 'object', properties: { a: { type: 'string' } } },
    },
  },
  'a budget': { contents: 'hi', config: { thinkingConfig: { includeThoughts: true, thinkingBudget: 512 } } },
  'a level': { contents: 'hi', config: { thinkingConfig: { thinkingLevel: ThinkingLevel.HIGH } } },
  'safety': {
    contents: 'hi',
    config: {
      safetySettings: [{ category: HarmCategory.HARM_CATEGORY_HARASSMENT, threshold: HarmBlockThreshold.OFF }],
      responseModalities: ['TEXT'],
    },
  },
  'tools': {
    contents: [
      user,
      {
        role: 'model',
        parts: [
          { text: 'hm', thought: true },
          { functionCall: { id: 'c1', name: 'f', args: { a: 1 } }, thoughtSignature: 'U0lH' },
        ],
      },
      {
        role: 'user',
        parts: [
          {
            functionResponse: {
              id: 'c1',
              name: 'f',
              response: { output: 'x' },
              parts: [{ inlineData: { mimeType: 'image/png', data: 'AA==' } }],
            },
          },
        ],
      },
    ],
    config: {
      tools: [
        {
          functionDeclarations: [
            {
              name: 'f',
              description: 'd',
              parametersJsonSchema: { type: 'object', properties: { a: { type: 'number' } } },
            },
          ],
        },
        { googleSearch: {} },
      ],
      toolConfig: { functionCallingConfig: { mode: FunctionCallingConfigMode.ANY, allowedFunctionNames: ['f'] } },
    },
  },
  'media': {
    contents: [
      {
        role: 'user',
        parts: [
          { inlineData: { mimeType: 'image/png', data: 'AA==' } },
          { fileData: { mimeType: 'video/mp4', fileUri: 'https://example.com/v.mp4' }, videoMetadata: { fps: 1 } },
        ],
      },
    ],
  },
};

const answer = chunk(
  [
    { text: 'hm', thought: true, thoughtSignature: 'U0lH' },
    { text: 'yes' },
    { functionCall: { id: 'c1', name: 'f', args: { a: 1 } } },
  ],
  { ...stop, avgLogprobs: -1 },
  { usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 2, thoughtsTokenCount: 3, totalTokenCount: 6 } },
);

describe('the wire as @google/genai uses it', () => {
  let server: Server;
  let received: JsonObject = {};
  let client: GoogleGenAI;
  before((done) => {
    server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (bytes: Buffer) => void chunks.push(bytes));
      request.on('end', () => {
        received = JSON.parse(Buffer.concat(chunks).toString('utf8')) as JsonObject;
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
      });
    }).listen(0, '127.0.0.1', () => {
      client = new GoogleGenAI({
        apiKey: 'k',
        httpOptions: { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` },
      });
      done();
    });
  });
  after((done) => void server.close(done));

  for (const [name, parameters] of Object.entries(requests)) {
    it(`a request of the SDK is written as it was read: ${name}`, async () => {
      await client.models.generateContent({ model: 'gemini-2.5-flash', ...parameters });
      const { body, losses } = encode(decodeBody(received));
      expect(losses).to.deep.equal([]);
      expect(plainRequest(body)).to.deep.equal(plainRequest(received));
    });
  }

  it('the SDK reads the written response as expected', async () => {
    const seen = await client.models.generateContent({ model: 'gemini-2.5-flash', contents: 'hi' });
    const { choices, usage, id, model } = readResponse(answer);
    const parts = choices[0]?.parts ?? [];
    expect(parts.map((part) => (part.type === 'text' ? part.text : '')).join('')).to.equal(
      seen.candidates?.[0]?.content?.parts?.map(({ text = '', thought }) => (thought === true ? '' : text)).join(''),
    );
    expect(
      parts.flatMap((part) =>
        part.type === 'tool-call' ? [{ id: part.id, name: part.name, args: JSON.parse(part.input) as unknown }] : [],
      ),
    ).to.deep.equal(seen.functionCalls);
    expect([id, model, usage?.output]).to.deep.equal([
      seen.responseId,
      seen.modelVersion,
      (seen.usageMetadata?.candidatesTokenCount ?? 0) + (seen.usageMetadata?.thoughtsTokenCount ?? 0),
    ]);
  });
});
