import { expect } from 'chai';
import { GatewayError } from '../../../../core/api/index.ts';
import { readMembers, type Members } from '../../../../core/api/codec.ts';

const errorOf = (read: () => unknown): GatewayError => {
  try {
    read();
  } catch (thrown) {
    if (GatewayError.is(thrown)) return thrown;
    throw thrown;
  }
  throw new Error('nothing was thrown');
};

describe('readMembers', () => {
  const body = readMembers({
    text: 'a',
    count: 2,
    half: 0.5,
    yes: true,
    list: ['a'],
    mixed: ['a', 1],
    inner: { deep: { text: 1 } },
    gone: null,
    kind: 'b',
  });

  it('reads members by their type', () => {
    expect([
      body.string('text'),
      body.number('count', { integer: true }),
      body.number('half'),
      body.boolean('yes'),
      body.strings('list'),
      body.oneOf('kind', ['a', 'b']),
    ]).to.deep.equal(['a', 2, 0.5, true, ['a'], 'b']);
    expect(body.rawObject('inner')).to.deep.equal({ deep: { text: 1 } });
  });
  it('treats a null member as absent', () => {
    expect(body.has('gone')).to.equal(false);
    for (const read of ['string', 'number', 'boolean', 'array', 'strings', 'object', 'rawObject', 'value'] as const) {
      expect(body[read]('gone'), read).to.equal(undefined);
    }
    expect(body.oneOf('gone', ['a'])).to.equal(undefined);
  });
  it('reads own members only, never those of the prototype', () => {
    const bare = readMembers({});
    expect([bare.value('constructor'), bare.value('toString'), bare.has('__proto__')]).to.deep.equal([
      undefined,
      undefined,
      false,
    ]);
  });

  const wrong: readonly (readonly [param: string, message: string, read: (members: Members) => unknown])[] = [
    ['count', "'count' must be a string, not a number.", (members) => members.string('count')],
    ['list', "'list' must be a string, not an array.", (members) => members.requiredString('list')],
    ['gone', "'gone' is required.", (members) => members.requiredString('gone')],
    ['text', "'text' must be a number, not a string.", (members) => members.number('text')],
    ['half', "'half' must be an integer.", (members) => members.number('half', { integer: true })],
    ['count', "'count' must be between 0 and 1.", (members) => members.number('count', { min: 0, max: 1 })],
    ['count', "'count' must be at least 3.", (members) => members.number('count', { min: 3 })],
    ['count', "'count' must be at most 1.", (members) => members.number('count', { max: 1 })],
    ['count', "'count' must be greater than 2.", (members) => members.number('count', { above: 2 })],
    ['text', "'text' must be a boolean, not a string.", (members) => members.boolean('text')],
    ['inner', "'inner' must be an array, not an object.", (members) => members.array('inner')],
    ['mixed[1]', "'mixed[1]' must be a string, not a number.", (members) => members.strings('mixed')],
    ['list', "'list' must be an object, not an array.", (members) => members.object('list')],
    [
      'inner.deep.text',
      "'inner.deep.text' must be a string, not a number.",
      (members) => members.object('inner')?.object('deep')?.string('text'),
    ],
    ['kind', "'kind' must be one of 'x', 'y'.", (members) => members.oneOf('kind', ['x', 'y'])],
  ];
  for (const [param, message, read] of wrong) {
    it(`refuses a wrong value with its path: ${message}`, () => {
      const { status, code, message: said, param: named } = errorOf(() => read(body));
      expect({ status, code, said, named }).to.deep.equal({
        status: 400,
        code: 'invalid_request',
        said: message,
        named: param,
      });
    });
  }
  it('refuses a body that is not an object', () => {
    for (const [value, what] of [
      [null, 'null'],
      [[], 'an array'],
      ['x', 'a string'],
      [undefined, 'nothing'],
    ] as const) {
      expect(errorOf(() => readMembers(value)).message).to.equal(`The body must be a JSON object, not ${what}.`);
      expect(errorOf(() => readMembers(value, 'tools[0]')).param).to.equal('tools[0]');
    }
  });
  it('returns the unread members, without those that are null', () => {
    const members = readMembers({ read: 1, looked: 2, left: 3, gone: null, __proto__x: 4 });
    members.number('read');
    members.has('looked');
    expect(members.unread()).to.deep.equal({ looked: 2, left: 3, __proto__x: 4 });
  });
  it('prefixes the names of members with the path of the object', () => {
    expect([readMembers({}).at('a'), readMembers({}, 'b[0]').at('a')]).to.deep.equal(['a', 'b[0].a']);
  });
});
