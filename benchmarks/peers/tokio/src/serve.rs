//! The servers of the load workloads.

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

pub async fn echo() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a listener");
    println!("PORT {}", listener.local_addr().expect("an address").port());
    loop {
        if let Ok((peer, _)) = listener.accept().await {
            let _ = peer.set_nodelay(true);
            tokio::spawn(echo_to(peer));
        }
    }
}

async fn echo_to(mut peer: TcpStream) {
    let mut buffer = [0u8; 4096];
    while let Ok(got) = peer.read(&mut buffer).await {
        if got == 0 || peer.write_all(&buffer[..got]).await.is_err() {
            return;
        }
    }
}
