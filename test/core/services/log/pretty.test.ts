import { expect } from 'chai';
import { prettyLine } from '../../../../core/services/log/pretty.ts';

const line = (fields: object): string =>
  `${JSON.stringify({ level: 'info', ts: '2026-11-21T11:02:03.123Z', ...fields })}\n`;
const exchange = {
  request_id: 'req_1',
  key_alias: 'alice',
  wire_in: 'messages',
  model_requested: 'talk',
  model: 'house/talk',
  provider: 'openai',
  status: 200,
  outcome: 'ok',
  term: '--',
  ms_total: 1204.5,
  ms_ttft: 300.2,
  tokens_in: 20,
  tokens_out: 7,
  cost_micro: 92,
  message: 'exchange',
};

describe('the log on a terminal', () => {
  it('shows an exchange in one short line', () => {
    expect(prettyLine(line(exchange), false)).to.equal(
      '11:02:03.123 info  200 ok --  messages  house/talk at openai  1204.5 ms, first after 300.2  20 + 7 tokens  0.000092 USD  alice  req_1\n',
    );
  });

  it('shows the known fields of a refused exchange', () => {
    const refused = {
      request_id: 'req_2',
      wire_in: 'messages',
      status: 401,
      outcome: 'auth',
      term: 'AU',
      code: 'invalid_api_key',
      ms_total: 1,
      message: 'exchange',
      worker: 3,
    };
    expect(prettyLine(line(refused), false)).to.equal(
      '11:02:03.123 info  3 401 auth AU  messages  -  1 ms  invalid_api_key  req_2\n',
    );
  });

  it('shows every other line with its fields, and an error with its stack', () => {
    const text = prettyLine(
      line({
        level: 'error',
        message: 'it failed',
        name: 'x',
        list: [1],
        error: { type: 'Error', message: 'no', stack: 'Error: no\n    at here' },
      }),
      false,
    );
    expect(text).to.equal('11:02:03.123 error it failed name=x list=[1]\n    Error: no\n        at here\n');
  });

  it('colours an exchange by level and outcome if colours are enabled', () => {
    expect(prettyLine(line(exchange), true)).to.include('\u001B[32m200 ok --\u001B[0m');
    expect(prettyLine(line({ level: 'warn', message: 'm' }), true)).to.include('\u001B[33mwarn \u001B[0m');
  });

  it('replaces control characters in text of clients', () => {
    const text = prettyLine(
      line({ ...exchange, model: undefined, model_requested: 'a\u001b[2Jb\r\u202e', message: 'exchange' }),
      false,
    );
    expect(text).to.include('  a?[2Jb?? at openai  ');
    expect(prettyLine(line({ message: 'm', field: 'a\u001b[2J\nb' }), false)).to.include('field=a?[2J?b');
  });

  it('returns a line that is not JSON unchanged', () => {
    expect(['no json\n', '[1]\n', ''].map((text) => prettyLine(text, false))).to.deep.equal(['no json\n', '[1]\n', '']);
  });
});
