// The servers of the load works.
'use strict';

const net = require('net');

function serveEcho() {
  const server = net.createServer({ noDelay: true }, (peer) => {
    peer.on('data', (data) => peer.write(data));
    peer.on('error', () => peer.destroy());
  });
  server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 }, () => console.log(`PORT ${server.address().port}`));
}

module.exports = { serveEcho };
