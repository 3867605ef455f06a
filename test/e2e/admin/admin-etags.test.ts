import { expect } from 'chai';
import { askAdmin, createKey, json, listKeys, readJson } from '../../support/admin.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { readError, type HttpReply } from '../../support/http.ts';
import { entryOf } from '../../support/scene.ts';

const settings = {
  providers: { simulator: { use: 'simulator' } },
  models: { 'simulator/chat': entryOf('simulator/chat') },
};
const owner = { organization: 'acme', project: 'web' };

describe('conditional writes of the admin API', () => {
  let gateway: TestGateway;
  before(async () => {
    gateway = await startTestGateway(settings);
  });
  after(() => gateway?.stop());
  const tagOf = async (path: string): Promise<string> => {
    const tag = (await askAdmin(gateway, 'GET', path)).headers['etag'];
    expect(tag).to.match(/^"[0-9a-f]{16,}"$/);
    return String(tag);
  };
  const write = (method: string, path: string, tag: string, body?: object): Promise<HttpReply> =>
    askAdmin(gateway, method, path, body, { ...json, 'if-match': tag });
  const expectRefusal = (reply: HttpReply): void => {
    expect(reply.status).to.equal(412);
    expect(readError(reply).error).to.deep.include({ code: 'precondition_failed' });
    expect(readError(reply).error.message).to.match(
      /is "[0-9a-f]+", not the one of If-Match\. Read it again \(GET \/admin\/.*\) and decide anew; nothing was changed\.$/,
    );
  };

  it('GET returns one key by its id, from the database and from the configuration', async () => {
    const made = await createKey(gateway, { name: 'shown', ...owner });
    expect(readJson(await askAdmin(gateway, 'GET', `/admin/keys/${made.id}`)))
      .to.deep.include({ name: 'shown', origin: 'database' })
      .and.not.have.any.keys('secret', 'warnings');
    expect(readJson(await askAdmin(gateway, 'GET', '/admin/keys/acme%2Fweb%2Falice'))).to.deep.include({
      name: 'alice',
      origin: 'configuration',
    });
    expect((await askAdmin(gateway, 'GET', '/admin/keys/nobody')).status).to.equal(404);
  });

  it('a key that changed meanwhile is neither rotated nor revoked', async () => {
    const { id } = await createKey(gateway, { name: 'changing', ...owner });
    const path = `/admin/keys/${id}`;
    const seen = await tagOf(path);
    expect((await write('POST', `${path}/rotate`, seen, { overlap: '1h' })).status).to.equal(201);
    const count = (await listKeys(gateway)).length;
    expectRefusal(await write('POST', `${path}/rotate`, seen, { overlap: '1h' }));
    expectRefusal(await write('DELETE', path, seen));
    expect(await listKeys(gateway)).to.have.length(count);
    expect(readJson(await askAdmin(gateway, 'GET', path))).to.include({ disabled: false });
    const revoked = await write('DELETE', path, await tagOf(path));
    expect([revoked.status, revoked.headers['etag']]).to.deep.equal([200, await tagOf(path)]);
  });

  it('a key is created only if the list has not changed', async () => {
    const seen = await tagOf('/admin/keys');
    expect((await write('POST', '/admin/keys', seen, { name: 'first', ...owner })).status).to.equal(201);
    expectRefusal(await write('POST', '/admin/keys', seen, { name: 'second', ...owner }));
    expect((await listKeys(gateway)).some(({ name }) => name === 'second')).to.equal(false);
  });

  it('If-Match is optional, and * matches anything', async () => {
    const { id } = await createKey(gateway, { name: 'free', ...owner });
    expect((await write('POST', '/admin/keys', '*', { name: 'any', ...owner })).status).to.equal(201);
    expect((await askAdmin(gateway, 'DELETE', `/admin/keys/${id}`)).status).to.equal(200);
    expectRefusal(await write('DELETE', `/admin/keys/${id}`, '"0000000000000000", W/"1"'));
  });

  it('reload supports If-Match, and its audit line names the caller and both configurations', async () => {
    const seen = await tagOf('/admin/config');
    expectRefusal(await write('POST', '/admin/reload', '"0000000000000000"', {}));
    expect((await write('POST', '/admin/reload', seen, {})).status).to.equal(200);
    const lines = gateway.lines
      .filter(({ text, fields }) => text === 'admin call' && fields['call'] === 'POST /admin/reload')
      .map(({ fields }) => fields);
    const hash = seen.replaceAll('"', '');
    expect(lines[0]).to.include({ who: 'loopback', status: 412, code: 'precondition_failed' });
    expect(lines[1]).to.include({
      who: 'loopback',
      address: '127.0.0.1',
      status: 200,
      result: 'unchanged',
      before: hash,
      after: hash,
    });
  });

  it('the admin listener refuses a public address without a token', async () => {
    const started: unknown = await startTestGateway({ ...settings, admin: { host: '0.0.0.0', port: 0 } }).catch(
      (error: unknown) => error,
    );
    expect(started).to.be.instanceOf(Error).with.property('message').that.includes('admin-without-token');
  });
});
