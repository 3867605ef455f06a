import { expect } from 'chai';
import { parseModelName, parseUserText } from '../../../../providers/simulator/answer/directives.ts';
import { request } from '../canonical-wire.ts';
import { call, createSimulator, readText, textOf } from '../simulate.ts';

const base = { pace: 0, words: 30, delay: 0 };
const refusal = (parse: () => unknown): unknown => {
  try {
    return parse();
  } catch (error) {
    return error;
  }
};

describe('simulator: directives', () => {
  it('reads directives from a model name like a query', () => {
    expect(parseModelName('chat?pace=20&words=200&cut=after:3&message=Slow+down%21', base)).to.deep.equal({
      name: 'chat',
      settings: { pace: 20, words: 200, delay: 0, fault: { kind: 'cut', at: 3 }, message: 'Slow down!' },
    });
    expect(parseModelName('chat', base)).to.deep.equal({ name: 'chat', settings: base });
  });

  it('reads directives from the text, and echoes the text without them', () => {
    expect(
      parseUserText('Hi [[simulator status=429 message="Slow down" retryAfter=2]] there [[simulator delay=5]]', base),
    ).to.deep.equal({
      text: 'Hi  there',
      settings: { ...base, status: 429, message: 'Slow down', retryAfter: 2, delay: 5 },
    });
    expect(parseUserText('[[simulators x]] [[other]]', base).settings).to.deep.equal(base);
  });

  it('accepts every key of the directives in its documentation', () => {
    const accepted =
      'pace=1 words=1 delay=1 status=400 status=599 code=upstream_quota message=x retryAfter=0 error=before error=after:0 cut=before reset=after:2 hang=before ' +
      'refusal=1 refusal=0 finish=pause usage=none inputTokens=1 cacheReadTokens=1 cacheWriteTokens=1 cacheWrite1hTokens=1 outputTokens=1 reasoningTokens=1';
    for (const directive of accepted.split(' '))
      expect(() => parseModelName(`chat?${directive}`, base), directive).to.not.throw();
  });

  it('rejects unknown directive keys and invalid values, and names the key', () => {
    const wrong = {
      stauts: '429',
      status: '200',
      pace: '-1',
      words: '0',
      delay: 'x',
      error: 'after',
      cut: 'after:',
      hang: 'later:3',
      reset: 'after:-1',
      usage: 'some',
      finish: 'done',
      code: 'KOINE_LISTEN_FAILED',
      refusal: '2',
      toString: '1',
      retryAfter: '1.5',
    };
    for (const [key, value] of Object.entries(wrong)) {
      for (const found of [
        refusal(() => parseModelName(`chat?${key}=${value}`, base)),
        refusal(() => parseUserText(`[[simulator ${key}=${value}]]`, base)),
      ]) {
        expect(found, key).to.include({ code: 'invalid_request', status: 400, param: key });
        expect(found).to.have.property('message').that.contains(`'${key}'`);
      }
    }
    expect(refusal(() => parseUserText('[[simulator hang]]', base))).to.include({ param: 'hang' });
  });

  it('returns 400 in the shape of the wire for an invalid directive', async () => {
    for (const [model, text] of [
      ['chat?stauts=429', 'Hi'],
      ['chat', 'Hi [[simulator stauts=429]]'],
    ] as const) {
      const reply = await (await createSimulator(model))({ body: request({ text, stream: true }) });
      expect(reply.status).to.equal(400);
      expect(reply.headers['content-type']).to.equal('application/json');
      expect(JSON.parse(await readText(reply)).error).to.include({ code: 'invalid_request', param: 'stauts' });
    }
  });

  it('lets the text override the model, and the model the configuration', async () => {
    const reply = await (
      await createSimulator('chat?status=500')
    )({ body: request({ text: '[[simulator status=503]]' }) });
    expect(reply.status).to.equal(503);
  });

  it('reports the name of the model without its directives', async () => {
    const answer = await call(await createSimulator('chat?words=3'), request({ text: 'Hi [[simulator words=4]] you' }));
    expect(answer.model).to.equal('chat');
    expect(textOf(answer)).to.equal('You said: Hi …');
  });
});
