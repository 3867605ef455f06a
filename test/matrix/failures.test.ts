import { APIError as MessagesError } from '@anthropic-ai/sdk';
import { expect } from 'chai';
import { APIError as ChatError } from 'openai';
import { startTestGateway, type TestGateway } from '../e2e/gateway.ts';
import { startUpstream, type TestUpstream } from '../e2e/upstream.ts';
import { sendChat } from './client-chat.ts';
import { sendMessages } from './client-messages.ts';
import { callerFaults } from './failures/caller-faults.ts';
import type { FailureCase } from './failures/failure-case.ts';
import { providerFaults } from './failures/provider-faults.ts';
import { defaultModels, hello } from './matrix-case.ts';
import { catalogOf, modes, pairOf, providerOf, providersAt, wires, type Mode, type Wire } from './wires.ts';

describe('matrix: an upstream that fails before any content', () => {
  let upstream: TestUpstream;
  let gateway: TestGateway;
  before(async () => {
    upstream = await startUpstream();
    gateway = await startTestGateway({ providers: providersAt(upstream.url), models: catalogOf([defaultModels]) });
  });
  after(async () => {
    await gateway.stop();
    await upstream.stop();
  });

  const replay = ({ vendor }: FailureCase, wire: Wire): void => {
    const { status, headers = {}, body } = vendor[wire];
    const [type, text] = typeof body === 'string' ? ['text/html', body] : ['application/json', JSON.stringify(body)];
    upstream.calls.length = 0;
    upstream.answer = (response) => void response.writeHead(status, { 'content-type': type, ...headers }).end(text);
  };

  const fail = async (client: Wire, wire: Wire, mode: Mode): Promise<ChatError | MessagesError> => {
    const model = `${providerOf[wire]}/${defaultModels[wire]}`;
    const sent = client === 'chat' ? sendChat(gateway.url, { ...hello.chat, model }, mode) : sendMessages(gateway.url, { ...hello.messages, model }, mode);
    const thrown: unknown = await sent.then(() => undefined, (error: unknown) => error);
    if (thrown instanceof ChatError || thrown instanceof MessagesError) return thrown;
    throw new Error(`the SDK did not throw an error of its own: ${String(thrown)}`);
  };

  const check = async (failure: FailureCase, client: Wire, wire: Wire, mode: Mode): Promise<void> => {
    replay(failure, wire);
    const logged = gateway.exchanges().length;
    const error = await fail(client, wire, mode);
    const { class: name, status, type, code, param } = failure.thrown[client];
    expect(error.constructor.name, error.message).to.equal(name);
    expect(error.status).to.equal(status);
    expect(error.message).to.match(failure.message);
    expect(error.message).to.not.match(/upstream-secret|sk-upst|<html/);
    expect(error.type).to.equal(type);
    if (error instanceof ChatError && code !== undefined) expect(error.code).to.equal(code);
    if (error instanceof ChatError && param !== undefined) expect(error.param).to.equal(param);
    for (const [header, value] of Object.entries(failure.headers ?? {})) expect(error.headers?.get(header)).to.equal(value);
    expect(error.headers?.get('x-request-id')).to.match(/^req_/);
    expect(upstream.calls).to.have.length(1);
    await gateway.settled(logged + 1);
    expect(gateway.exchanges()).to.have.length(logged + 1);
    const line = gateway.exchanges()[logged];
    expect(line).to.include({ status });
    if (failure.failure !== undefined) expect(line?.['attempts']).to.have.nested.property('[0].failure', failure.failure);
  };

  for (const failure of [...callerFaults, ...providerFaults]) {
    describe(failure.name, () => {
      for (const client of wires) {
        for (const wire of wires) {
          for (const mode of modes) it(`${pairOf(client, wire)}, ${mode}`, () => check(failure, client, wire, mode));
        }
      }
    });
  }
});
