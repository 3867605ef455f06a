import { expect } from 'chai';
import { GatewayError, type UpstreamReply } from '../../../core/api/index.ts';
import { request } from './canonical-wire.ts';
import { call, createSimulator, parseFrames, readText } from './simulate.ts';

const read = async ({ body }: UpstreamReply): Promise<{ readonly text: string; readonly error: unknown }> => {
  let text = '';
  try {
    for await (const chunk of body) text += Buffer.from(chunk).toString('utf8');
    return { text, error: undefined };
  } catch (error) {
    return { text, error };
  }
};
const stream = async (model: string) => (await createSimulator(model))({ body: request({ stream: true }) });
const plain = async (model: string) => (await createSimulator(model))({ body: request({}) });
const typesOf = (text: string): readonly unknown[] => parseFrames(text).map(({ type }) => type);
const deltas = (text: string): number => typesOf(text).filter((type) => type === 'part-delta').length;

describe('simulator: statuses on request', () => {
  it('responds with exactly the requested status, plain and streamed', async () => {
    for (const status of [400, 401, 402, 403, 404, 408, 409, 413, 418, 422, 429, 500, 502, 503, 504, 529, 599]) {
      for (const send of [plain, stream]) {
        const reply = await send(`chat?status=${status}`);
        expect(reply.status).to.equal(status);
        expect(reply.headers['content-type']).to.equal('application/json');
        expect(JSON.parse(await readText(reply))).to.have.nested.property(
          'error.message',
          `The simulator was asked to fail with status ${status}.`,
        );
      }
    }
  });

  it('a fault has the requested message', async () => {
    const reply = await plain('chat?status=429&message=Slow+down&retryAfter=7');
    expect(reply.headers['retry-after']).to.equal('7');
    expect(JSON.parse(await readText(reply)).error).to.include({ code: 'upstream_rate_limit', message: 'Slow down' });
  });

  it('fails with the requested code, and with the status of that code', async () => {
    const reply = await plain('chat?code=upstream_quota');
    expect(reply.status).to.equal(429);
    expect(JSON.parse(await readText(reply)).error.code).to.equal('upstream_quota');
  });

  it('reports a caller fault below 500 and a provider fault above', async () => {
    const codeOf = async (status: number) =>
      JSON.parse(await readText(await plain(`chat?status=${status}`))).error.code as unknown;
    expect(await codeOf(418)).to.equal('invalid_request');
    expect(await codeOf(599)).to.equal('upstream_error');
  });

  it('returns 400 for a body that the wire rejects', async () => {
    const reply = await (await createSimulator())({ body: [] });
    expect(reply.status).to.equal(400);
  });
});

describe('simulator: faults within a response', () => {
  it('sends the error first, after the opening frames, or after a number of deltas', async () => {
    const [before, opened, after] = await Promise.all(
      ['before', 'after:0', 'after:3'].map(async (at) => readText(await stream(`chat?error=${at}`))),
    );
    expect(typesOf(before ?? '')).to.deep.equal(['error']);
    expect(typesOf(opened ?? '')).to.deep.equal(['response-start', 'usage', 'part-start', 'error']);
    expect(typesOf(after ?? '')).to.deep.equal([
      'response-start',
      'usage',
      'part-start',
      'part-delta',
      'part-delta',
      'part-delta',
      'error',
    ]);
  });

  it('writes the error event of the requested kind', async () => {
    const text = await readText(await stream('chat?error=after:1&status=429&message=Enough'));
    expect(parseFrames(text).at(-1)?.['error']).to.deep.equal({ code: 'upstream_rate_limit', message: 'Enough' });
    expect(parseFrames(await readText(await stream('chat?error=after:1'))).at(-1)?.['error']).to.have.property(
      'code',
      'upstream_overloaded',
    );
  });

  it('a fault of a stream is returned as the error of a plain request', async () => {
    expect((await plain('chat?error=after:3')).status).to.equal(529);
    expect((await plain('chat?error=before&status=500')).status).to.equal(500);
  });

  it('a cut ends a stream without an error', async () => {
    const after = await read(await stream('chat?cut=after:3'));
    expect(after.error).to.equal(undefined);
    expect(deltas(after.text)).to.equal(3);
    expect(typesOf(after.text)).to.not.include.members(['choice-end', 'response-end', 'error']);
    expect(await read(await stream('chat?cut=before'))).to.deep.equal({ text: '', error: undefined });
  });

  it('a fault breaks the connection', async () => {
    const after = await read(await stream('chat?reset=after:3'));
    expect(deltas(after.text)).to.equal(3);
    expect(GatewayError.is(after.error) && after.error.code).to.equal('upstream_reset');
    const before: unknown = await stream('chat?reset=before').catch((error: unknown) => error);
    expect(before).to.have.property('code', 'upstream_reset');
  });

  it('fails before the end of a response that is shorter than the fault expects', async () => {
    for (const kind of ['cut', 'error', 'reset']) {
      const { text } = await read(await stream(`chat?words=2&${kind}=after:500`));
      expect(deltas(text)).to.equal(2);
      expect(typesOf(text)).to.not.include.members(['choice-end']);
    }
  });

  it('a fault breaks a plain response in the middle', async () => {
    const whole = JSON.stringify(await call(await createSimulator(), request({})));
    const cut = await read(await plain('chat?cut=after:3'));
    expect(cut.text).to.equal(whole.slice(0, cut.text.length));
    expect(cut.text.length).to.be.within(10, whole.length - 10);
    const reset = await read(await plain('chat?reset=after:3'));
    expect(reset.text).to.equal(cut.text);
    expect(reset.error).to.have.property('code', 'upstream_reset');
    expect((await read(await plain('chat?cut=before'))).text).to.equal('');
  });

  it('counts the deltas of all choices together', async () => {
    const simulate = await createSimulator('chat?words=3&cut=after:5');
    const { text } = await read(await simulate({ body: request({ stream: true, choices: 2 }) }));
    expect(deltas(text)).to.equal(5);
    expect(typesOf(text).filter((type) => type === 'choice-end')).to.have.length(1);
  });
});
