import { expect } from 'chai';
import { receiveJson } from '../../../core/exchange/request/receive.ts';
import { bodyBounds } from '../../../core/framing/layout-of.ts';
import { GatewayError } from '../../../core/api/index.ts';
import { catchError } from './catch-error.ts';

const receive = (text: string): unknown => receiveJson(Buffer.from(text));
const refusal = (body: string | Uint8Array) =>
  catchError(() => receiveJson(typeof body === 'string' ? Buffer.from(body) : body));
const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

/** Runs something, and lists the arguments of JSON.parse meanwhile. */
const watchParse = <T>(run: () => T): { readonly result: T; readonly calls: readonly (readonly unknown[])[] } => {
  const { parse } = JSON;
  const calls: (readonly unknown[])[] = [];
  JSON.parse = (...given: [string]) => {
    calls.push(given);
    return parse(...given) as unknown;
  };
  try {
    return { result: run(), calls };
  } finally {
    JSON.parse = parse;
  }
};

describe('a received body', () => {
  it('accepts a body with any JSON value, since the codec decides', () => {
    expect([receive(' {"a":[1,null]}\n'), receive('"text"'), receive('null')]).to.deep.equal([
      { a: [1, null] },
      'text',
      null,
    ]);
  });

  it('accepts a body that is a view of a larger buffer', () => {
    expect(receiveJson(Buffer.from('xx{"a":1}yy').subarray(2, 9))).to.deep.equal({ a: 1 });
  });

  it('accepts a body that is nested 128 levels deep, and not deeper', () => {
    expect(receive(nested(128))).to.be.an('array');
    expect(refusal(nested(129))).to.include({ code: 'invalid_request', status: 400 });
    expect(refusal(nested(129)).message).to.include('128');
    expect(refusal(`{"a":${nested(128)}}`).status).to.equal(400);
    expect(refusal(nested(50_000)).status).to.equal(400);
  });

  const refused: readonly (readonly [what: string, body: string | Uint8Array, says: RegExp])[] = [
    ['empty', '', /empty/],
    ['white space', ' \n', /not valid JSON/],
    ['cut off', '{"model":', /not valid JSON: it ends too early/],
    ['marked', '\uFEFF{}', /not valid JSON: it begins with a byte order mark\./],
    ['followed by more', '{} {}', /not valid JSON \(at position 3/],
    ['of single quotes', "{'a':1}", /not valid JSON \(at position 1/],
    ['with a trailing comma', '{"a":1,}', /not valid JSON/],
    ['not UTF-8', Uint8Array.of(0x22, 0xc3, 0x28, 0x22), /UTF-8/],
    ['an overlong sequence', Uint8Array.of(0x22, 0xc0, 0xaf, 0x22), /UTF-8/],
    ['UTF-16', Buffer.from('{"a":1}', 'utf16le'), /UTF-8|not valid JSON/],
    ['UTF-16 with its mark', Buffer.concat([Uint8Array.of(0xff, 0xfe), Buffer.from('{"a":1}', 'utf16le')]), /UTF-8/],
    ['a form', 'model=m&stream=true', /not valid JSON/],
    ['with __proto__', '{"__proto__":{"a":1}}', /'__proto__' is not allowed/],
    ['with __proto__ deep inside', '{"a":[{"b":{"__proto__":1}}]}', /__proto__/],
    ['with __proto__ in escapes', '{"\\u005f_proto__":1}', /__proto__/],
    ['with two models', '{"model":"a","model":"b"}', /more than once/],
    ['with two models, one in escapes', '{"model":"a","mod\\u0065l":"b"}', /more than once/],
  ];
  for (const [what, body, says] of refused) {
    it(`refuses a body with 400: ${what}`, () => {
      const error = refusal(body);
      expect(error).to.include({ code: 'invalid_request', status: 400 });
      expect(error.message).to.match(says);
    });
  }

  describe('a body with too many values', () => {
    const refuse = (body: string) => {
      const { result, calls } = watchParse(() => refusal(body));
      return { code: result.code, status: result.status, message: result.message, parsed: calls.length > 0 };
    };
    const list = (item: string, count: number): string => `[${Array.from({ length: count }, () => item).join(',')}]`;
    const { containers, scalars } = bodyBounds;

    for (const [what, item] of [
      ['empty lists', '[]'],
      ['empty objects', '{}'],
      ['objects', '{"a":1}'],
    ] as const) {
      it(`refuses a body with more than ${containers} ${what} before it is parsed, and accepts as many`, () => {
        expect(receive(list(item, containers - 1))).to.have.length(containers - 1);
        const refused = refuse(list(item, containers));
        expect(refused).to.include({ code: 'request_too_large', status: 413, parsed: false });
        expect(refused.message).to.include(String(containers));
      });
    }

    for (const [what, item] of [
      ['strings', '""'],
      ['literals', 'null'],
      ['numbers', '1'],
    ] as const) {
      it(`refuses a body with more than ${scalars} ${what} before it is parsed, and accepts as many`, () => {
        expect(receive(list(item, scalars))).to.have.length(scalars);
        const refused = refuse(list(item, scalars + 1));
        expect(refused).to.include({ code: 'request_too_large', status: 413, parsed: false });
        expect(refused.message).to.include(String(scalars));
      });
    }

    it('refuses a body with too many different keys before it is parsed, and accepts keys that repeat', () => {
      const objects = (name: (index: number) => string): string =>
        `[${Array.from({ length: 90_000 }, (_, index) => `{"${name(index)}":1,"b":2}`).join(',')}]`;
      expect(receive(objects((index) => `k${index % 1_000}`))).to.have.length(90_000);
      for (const name of [
        (index: number) => `k${index}`,
        (index: number) => `${index}${'a'.repeat(40)}`,
        (index: number) => `${'a'.repeat(40)}${index}`,
      ]) {
        expect(refuse(objects(name))).to.include({ code: 'request_too_large', status: 413, parsed: false });
        expect(refuse(objects(name)).message).to.include('different keys');
      }
    });

    it('counts the values of a body before it is parsed, so that one that would take too much memory never is', () => {
      const taken: unknown[] = [];
      const { result, calls } = watchParse(() =>
        catchError(() =>
          receiveJson(Buffer.from('{"a":[{"b":"c"},1]}'), 'kept', undefined, {
            take: (bytes, layout) => {
              taken.push([bytes, layout?.counts.containers, layout?.counts.scalars, layout?.memberCount]);
              throw new GatewayError('overloaded');
            },
          }),
        ),
      );
      expect(result).to.include({ code: 'overloaded' });
      expect(calls).to.have.length(0);
      expect(taken).to.deep.equal([[0, 3, 2, 2]]);
    });

    it('refuses a body with too many values before it is parsed, whether it is valid JSON or not', () => {
      expect(refuse('['.repeat(50_000))).to.include({ status: 400, parsed: false });
      expect(refuse('[],'.repeat(10_000_000))).to.include({ status: 413, parsed: false });
      expect(refuse(`{"messages":${'[[],{}],'.repeat(200_000)}`)).to.include({ status: 413, parsed: false });
    });
  });

  it('keeps integers beyond 2^53 without a reviver, which would be called for every value', () => {
    const kept = '{"a":[12345678901234567890,"12345678901234567890",1234567890123456,{"b":-9007199254740993}]}';
    const { result, calls } = watchParse(() => JSON.stringify(receive(kept)));
    expect(result).to.equal(kept);
    expect(calls.map((given) => given.length)).to.deep.equal([1]);
    for (const text of [
      '{12345678901234567890:1}',
      '[012345678901234567890]',
      '[12345678901234567890a]',
      '[12345678901234567890 "a"]',
      '[1 12345678901234567890]',
    ])
      expect(refusal(text).message, text).to.match(/not valid JSON/);
  });

  it('accepts a body with __proto__ in a value, and with a second model below the top level', () => {
    expect(receive('{"a":"__proto__","b":[{"model":1,"model":2}]}')).to.deep.equal({
      a: '__proto__',
      b: [{ model: 2 }],
    });
    expect(Object.keys(Object.prototype)).to.deep.equal([]);
  });

  it('names the path of a __proto__ key', () => {
    expect(refusal('{"a":{"__proto__":1}}').param).to.include('__proto__');
    expect(refusal('{"model":"a","model":"b"}').param).to.equal('model');
  });

  for (const body of [
    'CANARY',
    '{"prompt":"CANARY"',
    '{"prompt":"CANARY" "b"}',
    '{"prompt":CANARY}',
    '[CANARY',
    '"CANARY',
  ]) {
    it(`never quotes the body in the error (${body})`, () => {
      const { message, param, cause } = refusal(body);
      expect(`${message} ${String(param)} ${String(cause)}`).to.not.match(/CAN|ARY/);
    });
  }
});
