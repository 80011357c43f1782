# A real RTSP server for tests: what a source announces at one port is played at another.
use strict;
use warnings;
use AnyEvent;
use RTSP::Server;
my ($source, $client) = @ARGV;
my $server = RTSP::Server->new(
    log_level => 0, max_clients => 10, rtp_start_port => 20_000 + $client % 10_000,
    source_listen_port => $source, source_listen_address => '127.0.0.1',
    client_listen_port => $client, client_listen_address => '127.0.0.1');
$server->listen;
AnyEvent->condvar->recv;
