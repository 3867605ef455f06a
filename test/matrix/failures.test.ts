import { APIError as MessagesError } from '@anthropic-ai/sdk';
import { ApiError as GoogleError } from '@google/genai';
import { expect } from 'chai';
import { APIError as OpenAiError } from 'openai';
import { idOf } from './catalog.ts';
import { senders } from './clients/clients.ts';
import { callerFaults } from './failures/caller-faults.ts';
import type { FailureCase } from './failures/failure-case.ts';
import { providerFaults } from './failures/provider-faults.ts';
import { thrownOf } from './failures/thrown.ts';
import { overPairs, startMatrix, type MatrixScene } from './matrix-scene.ts';
import { hello } from './sample-bodies.ts';
import { modes, type Json, type Mode, type Wire } from './wires.ts';

type SdkError = OpenAiError | MessagesError | GoogleError;

/** What Google's SDK throws holds the body as its message. */
const wordsOf = (error: SdkError): { readonly type: unknown; readonly message: string } => {
  if (!(error instanceof GoogleError)) return { type: error.type, message: error.message };
  const body = (JSON.parse(error.message) as { readonly error: Json }).error;
  expect(body['code']).to.equal(error.status);
  return { type: body['status'], message: String(body['message']) };
};

describe('matrix: an upstream that fails before any content', () => {
  let scene: MatrixScene;
  before(async () => {
    scene = await startMatrix();
  });
  after(() => scene.stop());

  const replay = ({ vendor }: FailureCase, wire: Wire): void => {
    const { status, headers = {}, body } = vendor[wire];
    const [type, text] = typeof body === 'string' ? ['text/html', body] : ['application/json', JSON.stringify(body)];
    scene.upstream.calls.length = 0;
    scene.upstream.answer = (response) =>
      void response.writeHead(status, { 'content-type': type, ...headers }).end(text);
  };

  const fail = async (client: Wire, wire: Wire, mode: Mode): Promise<SdkError> => {
    const sent = senders[client](scene.gateway.url, { ...hello[client], model: idOf(wire) }, mode);
    const thrown: unknown = await sent.then(
      () => undefined,
      (error: unknown) => error,
    );
    if (thrown instanceof OpenAiError || thrown instanceof MessagesError || thrown instanceof GoogleError)
      return thrown;
    throw new Error(`the SDK did not throw an error of its own: ${String(thrown)}`);
  };

  const check = async (failure: FailureCase, client: Wire, wire: Wire, mode: Mode): Promise<void> => {
    replay(failure, wire);
    const { class: name, status, type, code } = thrownOf(failure.kind, client);
    const line = await scene.logged(async () => {
      const error = await fail(client, wire, mode);
      expect(error.constructor.name, error.message).to.equal(name);
      expect(error.status).to.equal(status);
      const words = wordsOf(error);
      expect(words.message).to.match(failure.message);
      expect(error.message).to.not.match(/upstream-secret|sk-upst|<html/);
      expect(words.type).to.equal(type);
      if (error instanceof OpenAiError && code !== undefined) expect(error.code).to.equal(code);
      if (error instanceof GoogleError) return;
      for (const [header, value] of Object.entries(failure.headers ?? {}))
        expect(error.headers?.get(header)).to.equal(value);
      expect(error.headers?.get('x-request-id')).to.match(/^req_/);
    });
    expect(scene.upstream.calls).to.have.length(1);
    expect(line).to.include({ status });
    if (failure.failure !== undefined) expect(line).to.have.nested.property('attempts[0].failure', failure.failure);
  };

  for (const failure of [...callerFaults, ...providerFaults]) {
    describe(failure.name, () => {
      overPairs((client, wire, pair) =>
        modes.map((mode) => ({
          title: `reports ${failure.name} over ${pair}, ${mode}`,
          run: () => check(failure, client, wire, mode),
        })),
      );
    });
  }
});
