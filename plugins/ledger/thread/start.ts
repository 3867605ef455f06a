import '../../../bin/quick-start.js';

// After it: what it does is for modules that are not linked yet.
await import('./main.ts');
