// n8n reads the nodes and credentials from package.json; npm wants a main file.
module.exports = {};
