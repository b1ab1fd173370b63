// The servers of the load workloads.
'use strict';

const http = require('http');
const net = require('net');

function serveEcho() {
  const server = net.createServer({ noDelay: true }, (peer) => {
    peer.on('data', (data) => peer.write(data));
    peer.on('error', () => peer.destroy());
  });
  server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 }, () => console.log(`PORT ${server.address().port}`));
}

function serveHttp() {
  const server = http.createServer((request, response) => {
    response.writeHead(200, { 'Content-Type': 'text/plain', 'Content-Length': 13 });
    response.end('Hello, World!');
  });
  server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 }, () => console.log(`PORT ${server.address().port}`));
}

module.exports = { serveEcho, serveHttp };
