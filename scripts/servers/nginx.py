"""nginx with TLS on the loopback interface: /text responds immediately, /slow after 200 ms, /big with one megabyte."""
import os
import shutil
import socket
import ssl
import subprocess

from process import Server

ECHO_MODULE = '/usr/lib/nginx/modules/ngx_http_echo_module.so'
CONFIG = '''
{main}
worker_processes 1;
daemon off;
master_process off;
pid {folder}/nginx.pid;
error_log {folder}/log crit;
events {{ worker_connections 4096; }}
http {{
  access_log off;
  default_type text/plain;
  client_body_temp_path {folder}/body;
  proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi;
  scgi_temp_path {folder}/scgi;
  {http}
}}
'''
WITH_TLS = '''
  ssl_certificate {folder}/certificate.pem;
  ssl_certificate_key {folder}/key.pem;
  server {{
    listen 127.0.0.1:{port} ssl;
    location /text {{ return 200 "text over TLS"; }}
    location /slow {{ echo_sleep 0.2; echo -n "slow text"; }}
    location /big {{ alias {folder}/big; }}
  }}
'''


def write_config(folder, http, main=''):
    """Writes a configuration for one foreground process that writes only to `folder`, and returns its file name.
    `http`: the server blocks."""
    name = os.path.join(folder, 'nginx.conf')
    with open(name, 'w', encoding='utf-8') as config:
        config.write(CONFIG.format(folder=folder, http=http, main=main))
    return name


class Nginx(Server):
    @staticmethod
    def is_installed():
        return all((shutil.which('nginx'), shutil.which('openssl'), os.path.exists(ECHO_MODULE)))

    @property
    def certificate(self):
        """A self-signed certificate for localhost and 127.0.0.1."""
        return os.path.join(self.folder, 'certificate.pem')

    def prepare(self):
        subprocess.run(['openssl', 'req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost',
                        '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1', '-keyout', f'{self.folder}/key.pem',
                        '-out', self.certificate], check=True, capture_output=True)
        with open(f'{self.folder}/big', 'wb') as big:
            big.write(bytes(range(256)) * 4096)
        self._config = write_config(self.folder, WITH_TLS.format(folder=self.folder, port=self.port),
                                    f'load_module {ECHO_MODULE};')

    def command(self):
        return ['nginx', '-c', self._config]

    def answers(self):
        try:
            context = ssl.create_default_context(cafile=self.certificate)
            with socket.create_connection(('127.0.0.1', self.port), timeout=5) as peer:
                context.wrap_socket(peer, server_hostname='localhost').close()
            return True
        except OSError:
            return False
