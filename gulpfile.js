const { dest, parallel, src } = require('gulp');

// n8n finds icons and codex files beside the compiled nodes.
const icons = () => src('icons/*.svg', { encoding: false }).pipe(dest('dist/icons'));
const codex = () => src('nodes/**/*.node.json', { base: '.' }).pipe(dest('dist'));

exports.default = parallel(icons, codex);
