import fc from 'fast-check';

// n8n logs every failure of a node, and many runs are meant to fail. n8n-core reads the level when it is
// imported, so it is set before any suite is loaded.
process.env.N8N_LOG_LEVEL ??= 'silent';

// The same cases each time, so that a red run is the change's own doing; FC_SEED=… tries others.
fc.configureGlobal({ seed: Number(process.env.FC_SEED ?? 1) });
