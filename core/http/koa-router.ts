import { createRequire } from 'node:module';
import type * as koaRouter from '@koa/router';

const { Router } = createRequire(import.meta.url)('@koa/router') as typeof koaRouter;

/** Of the CommonJS build: the other one imports `node:http`, and with it Node's own `fetch` (services/node-http). */
export const createRouter = (): koaRouter.Router => new Router();
