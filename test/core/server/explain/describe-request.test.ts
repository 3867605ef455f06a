import { expect } from 'chai';
import { describeRequest } from '../../../../core/server/explain/describe-target.ts';

const describeCall = (path: string, headers: Record<string, string> = {}, body = '{}') =>
  describeRequest({ origin: 'https://models.example', path, headers, body: Buffer.from(body) });

describe('the description of an upstream call', () => {
  it('describes a request with its method, whole URL, headers and body', () => {
    expect(
      describeCall(
        '/v1/chat?version=2',
        { 'content-type': 'application/json' },
        '{"model":"m","seed":9007199254740993}',
      ),
    ).to.deep.include({
      method: 'POST',
      url: 'https://models.example/v1/chat?version=2',
      headers: { 'content-type': 'application/json' },
    });
    expect(JSON.stringify(describeCall('/', {}, '{"model":"m","seed":9007199254740993}').body)).to.equal(
      '{"model":"m","seed":9007199254740993}',
    );
    expect(describeCall('/', {}, 'no JSON').body).to.equal('no JSON');
  });

  for (const name of [
    'authorization',
    'proxy-authorization',
    'x-api-key',
    'api-key',
    'x-goog-api-key',
    'x-amz-security-token',
    'cookie',
    'x-team-secret',
  ])
    it(`masks the request header ${name}`, () =>
      expect(describeCall('/', { [name]: 'canary' }).headers).to.deep.equal({ [name]: '***' }));

  for (const [path, shown] of [
    ['/v1?key=canary&alt=sse', '/v1?key=***&alt=sse'],
    ['/v1?alt=sse&api-key=canary', '/v1?alt=sse&api-key=***'],
    ['/v1?access_token=canary', '/v1?access_token=***'],
    ['/v1?X-Amz-Signature=canary&sig=canary', '/v1?X-Amz-Signature=***&sig=***'],
    ['/v1/keys/one?model=design', '/v1/keys/one?model=design'],
  ] as const)
    it(`a described request shows ${path} as ${shown}`, () =>
      expect(describeCall(path).url).to.equal(`https://models.example${shown}`));
});
